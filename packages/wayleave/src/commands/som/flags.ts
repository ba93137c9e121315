import type { SomFlags } from '../../shared/compile-som.ts';
import type { AgentFlags } from '../../shared/options/agent.ts';
import type { RenderFlags } from '../../shared/options/render.ts';

export type SomCommandFlags = SomFlags &
	AgentFlags &
	RenderFlags & {
		readonly url?: string;
		readonly stdinName?: string;
		readonly json?: boolean;
	};
