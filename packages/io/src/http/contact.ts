import { parseUrl } from '@wayleave/protocols/url';
import { looksPrivate } from './proxy.ts';

/**
 * The contact in the User-Agent if the operator gave none. It means this machine, the only one
 * beside the operator's own sites that sees it.
 */
export const localBotUrl = 'http://localhost/';

/** Names for examples and tests that never reach an operator: RFC 2606 and RFC 6761. */
const reservedName = /(?:^|\.)(?:example|invalid|test|localhost|example\.(?:com|net|org))$/;

/** Whether a site could reach the operator by this address of a page or `mailto:`. */
export function isContact(address: string): boolean {
	const url = parseUrl(address);
	if (url === undefined) return false;
	if (url.protocol === 'mailto:') {
		const domain = /^[^\s@]+@([^\s@?]+)$/.exec(url.pathname)?.[1];
		return domain !== undefined && isContact(`http://${domain}/`);
	}
	const host = url.hostname.replace(/\.$/, '');
	return /^https?:$/.test(url.protocol) && !reservedName.test(host) && !looksPrivate(url);
}

/** The address as `buildUserAgent` takes it. */
export const contactParts = (address: string): { botUrl: string } | { mailbox: string } =>
	/^mailto:/i.test(address) ? { mailbox: address.slice('mailto:'.length) } : { botUrl: address };
