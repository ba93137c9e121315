import { parseUrl } from '../url/parse-url.ts';
import { IdentityError, requireToken } from './errors.ts';

/** The product with which every User-Agent of this protocol begins (AIWebIndex 2.0 §3). */
export const aiWebIndexProduct = 'AIWebIndex/2.0';

/** Parts of the User-Agent of a crawler. */
export interface UserAgentParts {
	/** The page about the crawler: an absolute http or https URL. */
	readonly botUrl?: string;
	/** Where the operator reads mail, in place of a page: `crawler@example.com`. */
	readonly mailbox?: string;
	/** The name of the implementation: an RFC 9110 token. */
	readonly botName: string;
	/** An ownership check instead of a crawl; such a User-Agent carries no name. */
	readonly verification?: boolean;
}

/**
 * `AIWebIndex/2.0 (+URL; NAME)`, or `AIWebIndex/2.0 verification (+URL)` for an ownership check (AIWebIndex 2.0 §3).
 *
 * @throws IdentityError when the URL or the name would break the header.
 */
export function buildUserAgent({ botUrl, mailbox, botName, verification = false }: UserAgentParts): string {
	const url = botUrl === undefined && mailbox !== undefined ? commentMailbox(mailbox) : commentUrl(botUrl ?? '');
	const name = requireToken(botName, 'invalid-name');
	return verification ? `${aiWebIndexProduct} verification (+${url})` : `${aiWebIndexProduct} (+${url}; ${name})`;
}

/** The URL as it may stand in a comment of a header: normalised, and without the characters that end the comment. */
function commentUrl(text: string): string {
	const url = parseUrl(text);
	if (url === undefined) throw new IdentityError('invalid-url', text);
	if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new IdentityError('invalid-url', text);
	return escapeComment(url.href);
}

function commentMailbox(mailbox: string): string {
	const url = /^[^\s@?]+@[^\s@?]+$/.test(mailbox) ? parseUrl(`mailto:${mailbox}`) : undefined;
	if (url === undefined) throw new IdentityError('invalid-url', mailbox);
	return escapeComment(url.href);
}

function escapeComment(href: string): string {
	return href.replace(/[();\\]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A User-Agent of this protocol, read. */
export interface AiWebIndexUserAgent {
	/** `major.minor` after the product name. */
	readonly version: string;
	readonly verification: boolean;
	readonly botUrl?: string;
	readonly botName?: string;
}

/**
 * Reads a User-Agent that begins with `AIWebIndex/N.N`; any other one gives undefined.
 * The word `verification` counts anywhere after the product.
 */
export function parseUserAgent(value: string): AiWebIndexUserAgent | undefined {
	const product = /^AIWebIndex\/(\d+\.\d+)(?=[\s(;]|$)/.exec(value);
	if (product === null) return undefined;
	const [whole, version = ''] = product;
	const rest = value.slice(whole.length);
	const verification = /(?:^|[\s;(])verification(?=[\s;)]|$)/i.test(rest);
	return { version, verification, ...parseComment(rest) };
}

/** `(+URL; NAME)`: found by its ends, so that a hostile header costs one pass. */
function parseComment(text: string): { botUrl?: string; botName?: string } {
	const start = text.indexOf('(+');
	const end = start < 0 ? -1 : text.indexOf(')', start);
	if (end < 0) return {};
	const [url = '', name = ''] = text.slice(start + 2, end).split(';', 2);
	const botUrl = url.trim();
	const botName = name.trim();
	return { ...(botUrl && { botUrl }), ...(botName && { botName }) };
}
