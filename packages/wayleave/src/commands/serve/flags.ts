import type { ServiceOptions } from '@wayleave/service';
import type { AgentFlags } from '../../shared/options/agent.ts';
import type { AllowHostFlags } from '../../shared/options/allow-host.ts';

export interface ServeFlags
	extends AgentFlags,
		AllowHostFlags,
		Pick<ServiceOptions, 'open' | 'publicUrl' | 'maxAge' | 'timeLimit' | 'concurrency' | 'egress' | 'operator'> {
	store: string;
	listen: string;
	allowPrivate?: string[];
	economics: boolean;
	resolver?: string[];
	grace?: number;
	json?: boolean;
	log?: 'json';
}
