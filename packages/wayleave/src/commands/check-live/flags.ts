import type { ClientFlags } from '../../shared/options/agent.ts';

export interface CheckLiveFlags extends ClientFlags {
	config?: string;
	dir?: string;
	agent?: string[];
	gateway?: boolean;
	manifest: boolean;
	somAudit?: boolean;
	page?: string[];
	json?: boolean;
}
