/**
 * Text of strangers for people to read: a line of robots.txt, a header, an address. What a terminal would obey, and what
 * would break the line or turn it round, is shown escaped.
 */
export function oneLine(text: string): string {
	return text.replace(/\p{Cc}|\p{Zl}|\p{Zp}|\p{Bidi_Control}/gu, showControl);
}

/** The same for text of several lines. */
export function manyLines(text: string): string {
	return text.split('\n').map(oneLine).join('\n');
}

/** Untrusted running text: line breaks, tabs and direction marks may stay, other control characters may not. */
export function runningText(text: string): string {
	return text.replace(/(?![\n\t])\p{Cc}/gu, showControl);
}

/** Longer ones would bury what is said about them. */
const maxAddressLength = 300;

/** An address in the midst of others. */
export function shortAddress(url: string): string {
	return url.length <= maxAddressLength ? url : `${url.slice(0, maxAddressLength)}…`;
}

function showControl(character: string): string {
	return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A place as `FILE:LINE`; without a line (a header, a decision, silence) the file alone. */
export function placeOf({ source, line }: { readonly source: string; readonly line: number }): string {
	return line > 0 ? `${source}:${line}` : source;
}
