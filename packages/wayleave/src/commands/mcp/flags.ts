import type { AgentFlags } from '../../shared/options/agent.ts';
import type { RenderFlags } from '../../shared/options/render.ts';

export interface McpFlags extends AgentFlags, RenderFlags {
	store: string;
	allowPrivate?: string[];
}
