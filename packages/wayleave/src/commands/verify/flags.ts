import type { ContactFlags } from '../../shared/options/contact.ts';
import type { ProxyFlags } from '../../shared/options/proxy.ts';

export interface VerifyFlags extends ContactFlags, ProxyFlags {
	store: string;
	new?: boolean;
	resolver?: string[];
	json?: boolean;
}
