import { special } from './escapes.ts';
import { findInvisible, withoutInvisible } from './invisible.ts';
import type { Reading } from './modes.ts';
import { longPart, matchesPattern, type Text } from './pattern.ts';
import { decidesOver, type IndexedRule, indexRule } from './rule-index.ts';
import type { RobotsRule } from './types.ts';

/**
 * The rule that decides about a path, found by trying every rule: cheaper than an index for the first few questions.
 * Only rules that may match are prepared. Reads the beginnings of the rules once, and the path once for each rule tried.
 */
export function tryRules(rules: readonly RobotsRule[], reading: Reading, path: Text): IndexedRule | undefined {
	let best: IndexedRule | undefined;
	for (const rule of rules) {
		if (!mayMatch(rule.pattern, path) && !(reading.indexPages && rule.allow)) continue;
		for (const variant of variantsOf(rule, reading))
			if (decidesOver(variant, best) && matchesPattern(variant, path)) best = variant;
	}
	return best;
}

/**
 * Whether the pattern agrees with the path up to its first star or octet that normalising could change. After a star,
 * the path must also hold what stands there.
 */
function mayMatch(pattern: string, path: Text): boolean {
	let head = 0;
	for (; head < comparedSingly && isPlain[pattern.charCodeAt(head)]; head++)
		if (pattern.charCodeAt(head) !== path.charCodeAt(head)) return false;
	if (head === comparedSingly) {
		head = plainEnd(pattern, head);
		if (!path.startsWith(pattern.slice(0, head))) return false;
	}
	if (pattern[head] !== '*') return true;
	let end = Math.min(plainEnd(pattern, head + 1), head + longPart);
	if (pattern[end] === '%' && keptEscape.test(pattern.slice(end, end + 3))) end += 3;
	return path.indexOf(pattern.slice(head + 1, end), head) >= 0;
}

/** Octets that are compared one by one: most rules differ early, and the rest is compared faster as a whole. */
const comparedSingly = 8;

/** The first place, from another one, whose octet has several forms or does not mean itself in a pattern. */
function plainEnd(pattern: string, from: number): number {
	special.lastIndex = from;
	return special.exec(pattern)?.index ?? pattern.length;
}

/** An escape that has no other form: of a control character, or of an octet beyond ASCII. */
const keptEscape = /^%[0189A-F][\dA-F]/;

/** By octet: whether it has one form, and means itself in a pattern. */
const isPlain = Array.from({ length: 127 }, (_, octet) => String.fromCharCode(octet).search(special) < 0);

/**
 * A rule; a `Disallow` without invisible blanks; and, as Google reads it, the folder of an allowed index page:
 * `/x/index.html` also matches `/x/$`.
 */
export function variantsOf(rule: RobotsRule, { escapesAsWritten, indexPages, invisible }: Reading): IndexedRule[] {
	const itself = indexRule(rule, escapesAsWritten);
	if (invisible && !rule.allow && findInvisible(rule.pattern) >= 0) {
		const visible = withoutInvisible(rule.pattern);
		// Blanks only are an empty pattern, which restricts nothing.
		return visible === '' ? [itself] : [itself, indexRule(rule, escapesAsWritten, visible)];
	}
	if (!indexPages || !rule.allow) return [itself];
	const slash = rule.pattern.lastIndexOf('/');
	if (slash < 0 || !rule.pattern.startsWith('/index.htm', slash)) return [itself];
	return [itself, indexRule(rule, escapesAsWritten, `${rule.pattern.slice(0, slash + 1)}$`)];
}
