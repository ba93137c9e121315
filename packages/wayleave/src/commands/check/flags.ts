import type { ClientFlags } from '../../shared/options/agent.ts';

export interface CheckFlags extends ClientFlags {
	agent?: string;
	category?: string[];
	use?: string[];
	operatorMarket?: string;
	robots?: string;
	robots2?: string;
	page: boolean;
	json?: boolean;
}
