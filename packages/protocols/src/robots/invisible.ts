/**
 * Blanks and invisible characters that editors and web pages leave in text. No path contains one unescaped (RFC 3986
 * §2), and by RFC 9309 a rule with one never matches. Unicode spaces, zero-width and directional marks, the soft hyphen
 * and the byte order mark.
 */
const invisible = /[\u00a0\u00ad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/g;

/** Index of the first one, or -1. */
export const findInvisible = (text: string): number => text.search(invisible);

export const withoutInvisible = (text: string): string => text.replace(invisible, '');

/** The first invisible character, by its code point: `U+00A0`. */
export function codeOf(text: string): string {
	return `U+${text.charCodeAt(findInvisible(text)).toString(16).toUpperCase().padStart(4, '0')}`;
}
