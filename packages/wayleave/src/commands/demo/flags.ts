import type { AllowHostFlags } from '../../shared/options/allow-host.ts';

export interface DemoFlags extends AllowHostFlags {
	site?: string;
	port?: number;
	out: string;
	json?: boolean;
}
