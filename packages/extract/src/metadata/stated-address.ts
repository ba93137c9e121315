import { parseUrl } from '@wayleave/protocols/url';

/** A front page by its usual names. */
const frontPage = /^\/(?:(?:index|default|home)\.\w{3,5})?$/i;

/** Whether an address names one page: not the front page of a site, which templates name on all pages, and no part of one. */
export function namesOnePage(address: string): boolean {
	const url = parseUrl(address);
	return url !== undefined && url.hash === '' && !(frontPage.test(url.pathname) && url.search === '');
}

/**
 * The address of a page whose canonical link says nothing, because it names the front page or a part of a page: the
 * first one stated elsewhere that names one page of the same host, else the page's own. Undefined if the link is good.
 */
export function addressInstead(
	canonical: string | undefined,
	url: string,
	stated: readonly (string | undefined)[],
): string | undefined {
	const own = parseUrl(url);
	if (canonical === undefined || own === undefined || namesOnePage(canonical)) return undefined;
	own.hash = '';
	if (frontPage.test(own.pathname)) return undefined;
	const isOurs = (address: string | undefined): boolean =>
		address !== undefined && namesOnePage(address) && parseUrl(address)?.host === own.host;
	return stated.find(isOurs) ?? own.href;
}
