import type { FormatName } from '@wayleave/protocols/lint/format-names';
import type { ClientFlags } from '../../shared/options/agent.ts';

export interface LintFlags extends ClientFlags {
	format?: FormatName;
	robots?: string;
	previous?: string;
	json?: boolean;
	sarif?: string;
	github?: boolean;
	explain?: string;
	stdinName?: string;
	quiet?: boolean;
}
