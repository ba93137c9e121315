import type { PublishFlags } from './publish.ts';

export interface BuildFlags extends PublishFlags {
	service?: string;
}

export interface LookupFlags {
	ip: string[];
	json?: boolean;
}

export interface CheckFlags {
	previous?: string;
	json?: boolean;
}
