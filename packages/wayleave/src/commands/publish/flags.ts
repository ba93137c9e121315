import type { ConfigFlags } from '../../shared/options/policy-file.ts';

export interface PublishFlags extends ConfigFlags {
	out?: string;
	published?: string;
	tags?: boolean;
	som: boolean;
	markdown: boolean;
	manifest: boolean;
	cleanUrls?: boolean;
	gateway?: boolean;
	replace?: boolean;
	readAll?: boolean;
	json?: boolean;
}
