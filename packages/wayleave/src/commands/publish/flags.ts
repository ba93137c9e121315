import type { PublishOptions } from '@wayleave/gateway';
import type { ConfigFlags } from '../../shared/options/policy-file.ts';

export interface PublishFlags
	extends ConfigFlags,
		Pick<PublishOptions, 'out' | 'tags' | 'cleanUrls' | 'gateway' | 'replace' | 'readAll'> {
	published?: string;
	som: boolean;
	markdown: boolean;
	manifest: boolean;
	json?: boolean;
}
