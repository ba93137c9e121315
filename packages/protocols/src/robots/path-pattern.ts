import { normaliseEscapes, pathOfUrl } from './escapes.ts';
import { compilePattern, matchesPattern } from './pattern.ts';

/** Whether a pattern matches a URL. */
export type PathMatcher = (url: string) => boolean;

/**
 * A pattern in the language of robots.txt (RFC 9309 §2.2.3): a prefix in which `*` matches anything and a final `$`
 * matches the end. It is compared with path and query, or with the whole address if it begins with a scheme. Linear in
 * the length of the URL.
 *
 * @example compilePathPattern('/cart/*.pdf$')('https://a.test/cart/1.pdf') // true
 */
export function compilePathPattern(text: string): PathMatcher {
	const pattern = compilePattern(text, false);
	const isWhole = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
	return (url) => matchesPattern(pattern, normaliseEscapes(isWhole ? url : pathOfUrl(url)));
}
