import type { AgentFlags } from '../../shared/options/agent.ts';
import type { AllowHostFlags } from '../../shared/options/allow-host.ts';

export interface ServeFlags extends AgentFlags, AllowHostFlags {
	store: string;
	listen: string;
	open?: boolean;
	publicUrl?: string;
	maxAge?: number;
	timeLimit?: number;
	concurrency?: number;
	allowPrivate?: string[];
	economics: boolean;
	egress?: string[];
	operator?: string;
	resolver?: string[];
	grace?: number;
	json?: boolean;
	log?: 'json';
}
