import { decodePercent } from '../internal/percent.ts';

/**
 * Whether a path lies in the scope that an ask answer gives (`X-Robots2-Scope`): a final `/*` covers all
 * that lies below, any other `*` one or more characters of one segment, and nothing else is open at its end.
 *
 * `/blog/*` covers `/blog/post` and `/blog/2026/post`, but neither `/blog`, `/blog/` nor `/blogroll`.
 */
export function matchScope(scope: string, url: string | URL): boolean {
	if (!scope.startsWith('/')) return false;
	const pattern = scope.split('/').slice(1);
	const path = new URL(url).pathname.split('/').slice(1);
	const subtree = pattern.length > 0 && pattern.at(-1) === '*';
	const fixed = subtree ? pattern.slice(0, -1) : pattern;
	if (subtree ? path.slice(fixed.length).join('/') === '' : path.length !== fixed.length) return false;
	return fixed.every((segment, index) => matchSegment(segment, path[index] ?? ''));
}

/** Compares from left to right, taking the earliest place for each part between stars: linear, without backtracking. */
function matchSegment(pattern: string, segment: string): boolean {
	const [first = '', ...parts] = pattern.split('*').map(plain);
	const text = plain(segment);
	const last = parts.pop();
	if (last === undefined) return text === first;
	if (!text.startsWith(first)) return false;
	let at = first.length;
	for (const part of parts) {
		const found = text.indexOf(part, at + 1);
		if (found < 0) return false;
		at = found + part.length;
	}
	return text.length - last.length > at && text.endsWith(last);
}

/** Percent-decoded where that can be done, so that `%2C` in a scope and a comma in a path are one. */
function plain(text: string): string {
	return decodePercent(text) ?? text;
}
