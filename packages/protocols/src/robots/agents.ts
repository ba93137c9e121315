import { withoutInvisible } from './invisible.ts';
import type { Reading } from './modes.ts';
import { isAscii } from './octets.ts';

/** The part of a value before the first match of `end`. */
function before(value: string, end: RegExp): string {
	const at = value.search(end);
	return at < 0 ? value : value.slice(0, at);
}

/** The product token at the head of a value: letters, underscore, hyphen (RFC 9309 §2.2.1). */
export const leadingToken = (value: string): string => before(value, /[^a-z_-]/i);

/** Whether a name is one that every parser can match: only letters, underscore and hyphen (RFC 9309 §2.2.1). */
export const isProductToken = (name: string): boolean => isTokenWithin(name, 0, name.length);

/** Whether a part of a text is a product token, which is cheaper to see before it is cut out. */
export function isTokenWithin(text: string, from: number, to: number): boolean {
	let at = from;
	while (at < to && isTokenCode(text.charCodeAt(at))) at++;
	return at === to && from < to;
}

const isTokenCode = (code: number): boolean => ((code | 32) > 96 && (code | 32) < 123) || code === 95 || code === 45;

/** The name without version, remark or star: `Mail.RU_Bot/2.0` is `Mail.RU_Bot`, `SemrushBot*` is `SemrushBot`. */
export const productName = (value: string): string => before(value, /[\t-\r /;,()*]/);

/**
 * The product of a whole User-Agent header: the `compatible; NAME/…` part when there is one, else its beginning.
 * A bare token stays as it is.
 */
export function productOfUserAgent(header: string): string {
	if (isProductToken(header)) return header;
	const compatible = /\bcompatible;[\t ]*([^\t-\r /;,()]+)/i.exec(header);
	return compatible?.[1] ?? productName(header.trim());
}

/** Case is folded for ASCII only (RFC 5234 §2.3): the Kelvin sign is not a `k`. */
export const asciiLower = (name: string): string =>
	isAscii(name) ? name.toLowerCase() : name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * The keys under which a `User-agent` line can be found: `*` when it speaks to everybody, `=foobot` by its name,
 * `~foobot` by its name cut to a token, which is asked for when no line of a file has the name.
 */
export function agentKeys(value: string, { agentLines, invisible }: Reading): string[] {
	if (isProductToken(value)) return [`=${value.toLowerCase()}`];
	// A star beside a blank that cannot be seen is meant for everybody.
	const shown = invisible ? withoutInvisible(value).trim() : value;
	// `*` and more words is leniently still `*`.
	if (shown === '*' || (agentLines !== 'exact' && /^\*[\t-\r ]/.test(value))) return ['*'];
	if (agentLines === 'exact') return [];
	const name = asciiLower(value);
	const token = leadingToken(name);
	return agentLines === 'cut' ? [`=${token}`] : [`=${productName(name)}`, `~${token}`].filter((key) => key.length > 1);
}

/** The keys to look for, one after the other. */
export function wantedKeys(agent: string, { agentLines }: Reading): [whole: string, cut: string] {
	const name = asciiLower(agentLines === 'cut' ? agent : productOfUserAgent(agent));
	return [`=${name}`, `~${name}`];
}
