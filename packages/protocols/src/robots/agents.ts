import type { RobotsMode } from './modes.ts';

/** The product token at the head of a value: letters, underscore, hyphen (RFC 9309 §2.2.1). */
export function leadingToken(value: string): string {
	let end = 0;
	while (end < value.length && isTokenCode(value.charCodeAt(end))) end++;
	return value.slice(0, end);
}

const isTokenCode = (code: number): boolean => ((code | 32) >= 97 && (code | 32) <= 122) || code === 45 || code === 95;

/** Whether a name can be matched by every parser: only letters, underscore and hyphen (RFC 9309 §2.2.1). */
export const isProductToken = (name: string): boolean => name !== '' && leadingToken(name).length === name.length;

/** The name without version, remark or star: `Mail.RU_Bot/2.0` is `Mail.RU_Bot`, `SemrushBot*` is `SemrushBot`. */
export const productName = (value: string): string => /^[^\s/;,()*]*/.exec(value)![0];

/**
 * The product of a whole User-Agent header: the `compatible; NAME/…` part when there is one, else its beginning.
 * A bare token stays as it is.
 */
export function productOfUserAgent(header: string): string {
	const compatible = /\bcompatible;\s*([^\s/;,()]+)/i.exec(header);
	return compatible ? compatible[1]! : productName(header.trim());
}

/** Whether the value of a `User-agent` line speaks to everybody. */
export function isEverybody(value: string, mode: RobotsMode): boolean {
	if (value === '*') return true;
	return mode !== 'rfc9309' && value.charCodeAt(0) === 42 && /^\*\s/.test(value);
}

/**
 * The names under which a `User-agent` line can be found, lower-cased: `whole` is tried on all lines first, then `cut`.
 * Undefined: the line names nobody.
 */
export interface AgentNames {
	readonly whole: string | undefined;
	readonly cut: string | undefined;
}

/** The names of a `User-agent` value in a mode. */
export function agentNames(value: string, mode: RobotsMode): AgentNames {
	const lower = value.toLowerCase();
	if (mode === 'google') return { whole: leadingToken(lower), cut: undefined };
	if (mode === 'rfc9309') return { whole: isProductToken(lower) ? lower : undefined, cut: undefined };
	return { whole: productName(lower) || undefined, cut: leadingToken(lower) || undefined };
}

/** The name to look for. Google compares what it is given; otherwise a whole User-Agent header will do. */
export const wantedName = (agent: string, mode: RobotsMode): string =>
	(mode === 'google' ? agent : productOfUserAgent(agent)).toLowerCase();
