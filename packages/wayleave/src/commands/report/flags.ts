import type { ConfigFlags } from '../../shared/options/policy-file.ts';

export interface ReportFlags extends ConfigFlags {
	store?: string;
	days: number;
	agent?: string;
	limit: number;
	submission?: 'mail' | 'json';
	json?: boolean;
	csv?: boolean;
	html?: string;
}
