import type { PathTerms } from '../terms/paths.ts';
import { type PublishProblem, publishProblem } from '../terms/problems.ts';

/** Rules that withhold more than their words: `/jobs` also withholds `/jobs-report/` (RFC 9309 §2.2.2). */
export function checkBroadRules({ everybody, named }: PathTerms, keys: readonly string[]): PublishProblem[] {
	const rules = [everybody, ...named.map(({ rules: own }) => own)].flat();
	const patterns = new Set(rules.filter(({ allow }) => !allow).map(({ pattern }) => pattern));
	const sorted = [...keys].sort();
	return [...patterns].flatMap((pattern) => {
		if (!/^[^*$]*[\w-]$/.test(pattern)) return [];
		const path = firstSibling(sorted, pattern);
		return path === undefined ? [] : [publishProblem('publish-broad-rule', { pattern, path })];
	});
}

/** The first key that goes on with a letter, a digit or a hyphen where the pattern ends. */
function firstSibling(sorted: readonly string[], pattern: string): string | undefined {
	let low = 0;
	let high = sorted.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((sorted[middle] ?? '') < pattern) low = middle + 1;
		else high = middle;
	}
	for (let at = low; at < sorted.length; at++) {
		const key = sorted[at];
		if (!key?.startsWith(pattern)) return undefined;
		if (/^[\w-]/.test(key.slice(pattern.length))) return key;
	}
	return undefined;
}
