import { parseUrl } from '@wayleave/protocols/url';
import { looksPrivate } from './proxy.ts';

/**
 * What the User-Agent names while nobody has said how to reach the operator. It means this machine, the only one
 * beside the operator's own sites that sees it.
 */
export const localBotUrl = 'http://localhost/';

/** Names for examples and tests that never reach an operator: RFC 2606 and RFC 6761. */
const reservedName = /(?:^|\.)(?:example|invalid|test|localhost|example\.(?:com|net|org))$/;

/** Whether a site that reads this address, of a page or `mailto:`, could reach somebody by it. */
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
