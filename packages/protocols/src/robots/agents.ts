import type { Reading } from './modes.ts';

/** The product token at the head of a value: letters, underscore, hyphen (RFC 9309 §2.2.1). */
export const leadingToken = (value: string): string => /^[a-z_-]*/i.exec(value)![0];

/** Whether a name is one that every parser can match: only letters, underscore and hyphen (RFC 9309 §2.2.1). */
export const isProductToken = (name: string): boolean => /^[a-z_-]+$/i.test(name);

/** The name without version, remark or star: `Mail.RU_Bot/2.0` is `Mail.RU_Bot`, `SemrushBot*` is `SemrushBot`. */
export const productName = (value: string): string => /^[^\t-\r /;,()*]*/.exec(value)![0];

/**
 * The product of a whole User-Agent header: the `compatible; NAME/…` part when there is one, else its beginning.
 * A bare token stays as it is.
 */
export function productOfUserAgent(header: string): string {
	const compatible = /\bcompatible;[\t ]*([^\t-\r /;,()]+)/i.exec(header);
	return compatible ? compatible[1]! : productName(header.trim());
}

/** Whether the value of a `User-agent` line speaks to everybody: `*`, leniently also `*` and more words. */
export const isEverybody = (value: string, { agentLines }: Reading): boolean =>
	value === '*' || (agentLines !== 'exact' && /^\*[\t-\r ]/.test(value));

/** Case is folded for ASCII only (RFC 5234 §2.3): the Kelvin sign is not a `k`. */
export const asciiLower = (name: string): string => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * The names under which a `User-agent` line can be found, in lower case: `whole` is tried on all lines of a file
 * before `cut`. Undefined: not under any.
 */
export interface AgentNames {
	readonly whole: string | undefined;
	readonly cut?: string | undefined;
}

/** The names of a `User-agent` value. */
export function agentNames(value: string, { agentLines }: Reading): AgentNames {
	const name = asciiLower(value);
	const token = leadingToken(name);
	if (agentLines === 'cut') return { whole: token };
	if (agentLines === 'exact') return { whole: token === name && token !== '' ? token : undefined };
	return { whole: productName(name) || undefined, cut: token || undefined };
}

/** The name to look for. */
export const wantedName = (agent: string, { agentAsGiven }: Reading): string =>
	asciiLower(agentAsGiven ? agent : productOfUserAgent(agent));
