import { compilePattern, matchesPattern, type Pattern } from './pattern.ts';
import type { RobotsRule, RobotsVerdict } from './types.ts';

/** A rule ready to be compared, with the answer it gives. */
export interface IndexedRule {
	readonly pattern: Pattern;
	readonly rule: RobotsRule;
	readonly verdict: RobotsVerdict;
}

/** Whether `a` decides over `b`: more octets, then allow over disallow, then the earlier line (RFC 9309 §2.2.2). */
export function decidesOver(a: IndexedRule, b: IndexedRule | undefined): boolean {
	if (b === undefined) return true;
	if (a.pattern.length !== b.pattern.length) return a.pattern.length > b.pattern.length;
	if (a.rule.allow !== b.rule.allow) return a.rule.allow;
	return a.rule.line < b.rule.line;
}

/**
 * The rules in force for one agent, arranged so that a path is answered by looking up what it contains
 * instead of by trying every rule.
 *
 * Rules without a star are found by the hash of the path's beginnings, computed octet by octet along the path.
 * Rules with a star are found by a *gram*, three octets in a row that every path they match must contain; of the grams
 * of a rule the one that the fewest rules share is taken. Only rules too short for that are tried one by one.
 */
export class RuleIndex {
	/** No star, by hash: those that match a beginning, and those that match a whole path. */
	readonly #beginnings = new Map<number, IndexedRule[]>();
	readonly #wholes = new Map<number, IndexedRule[]>();
	/** Lengths of beginnings that occur, so that other lengths need no look-up. */
	readonly #lengths = new Set<number>();
	readonly #grams = new Map<number, Bucket>();
	readonly #short: Bucket = { rules: [], visit: 0 };
	#visit = 0;

	constructor(rules: readonly IndexedRule[]) {
		const starred: IndexedRule[] = [];
		for (const rule of rules) {
			if (rule.pattern.parts.length > 1) starred.push(rule);
			else this.#addLiteral(rule);
		}
		this.#addStarred(starred);
	}

	#addLiteral(rule: IndexedRule): void {
		const { parts, anchored } = rule.pattern;
		const text = parts[0]!;
		let hash = 0;
		for (let at = 0; at < text.length; at++) hash = step(hash, text.charCodeAt(at));
		const table = anchored ? this.#wholes : this.#beginnings;
		if (!anchored) this.#lengths.add(text.length);
		const bucket = table.get(hash);
		if (bucket === undefined) table.set(hash, [rule]);
		else {
			const same = bucket.findIndex((other) => other.pattern.parts[0] === text);
			if (same < 0) bucket.push(rule);
			else if (decidesOver(rule, bucket[same])) bucket[same] = rule;
		}
	}

	#addStarred(rules: readonly IndexedRule[]): void {
		const uses = new Map<number, number>();
		for (const { pattern } of rules) {
			for (const gram of gramsOf(pattern)) uses.set(gram, (uses.get(gram) ?? 0) + 1);
		}
		for (const rule of rules) {
			let rarest = -1;
			for (const gram of gramsOf(rule.pattern)) {
				if (rarest < 0 || uses.get(gram)! < uses.get(rarest)!) rarest = gram;
			}
			let bucket = rarest < 0 ? this.#short : this.#grams.get(rarest);
			if (bucket === undefined) {
				bucket = { rules: [], visit: 0 };
				this.#grams.set(rarest, bucket);
			}
			bucket.rules.push(rule);
		}
		for (const bucket of [this.#short, ...this.#grams.values()])
			bucket.rules.sort((a, b) => (decidesOver(a, b) ? -1 : 1));
	}

	/** The rule that decides about a path, in the form that the patterns have. */
	find(path: string): IndexedRule | undefined {
		let best = this.#findLiteral(path);
		best = pick(this.#short, path, best);
		return this.#grams.size === 0 ? best : this.#findStarred(path, best);
	}

	#findLiteral(path: string): IndexedRule | undefined {
		let best: IndexedRule | undefined;
		let hash = 0;
		for (let length = 0; ; length++) {
			if (this.#lengths.has(length)) {
				// A longer beginning always decides over a shorter one.
				best =
					this.#beginnings
						.get(hash)
						?.find((rule) => rule.pattern.parts[0]!.length === length && path.startsWith(rule.pattern.parts[0]!)) ??
					best;
			}
			if (length === path.length) break;
			hash = step(hash, path.charCodeAt(length));
		}
		const whole = this.#wholes.get(hash)?.find((rule) => rule.pattern.parts[0] === path);
		return whole !== undefined && decidesOver(whole, best) ? whole : best;
	}

	#findStarred(path: string, literal: IndexedRule | undefined): IndexedRule | undefined {
		let best = literal;
		const visit = ++this.#visit;
		let gram = 0;
		for (let at = 0; at < path.length; at++) {
			gram = nextGram(gram, path.charCodeAt(at));
			if (at < 2) continue;
			const bucket = this.#grams.get(gram);
			if (bucket === undefined || bucket.visit === visit) continue;
			bucket.visit = visit;
			best = pick(bucket, path, best);
		}
		return best;
	}
}

/** Rules in the order in which they decide; `visit` keeps a path that repeats itself from trying them twice. */
interface Bucket {
	readonly rules: IndexedRule[];
	visit: number;
}

function pick(bucket: Bucket, path: string, best: IndexedRule | undefined): IndexedRule | undefined {
	for (const rule of bucket.rules) {
		if (!decidesOver(rule, best)) return best;
		if (matchesPattern(rule.pattern, path)) return rule;
	}
	return best;
}

const step = (hash: number, code: number): number => ((Math.imul(hash, 0x01000193) ^ code) + 0x9e37) | 0;
/** Three octets in one number. */
const nextGram = (gram: number, code: number): number => ((gram << 8) | (code & 255)) & 0xffffff;

function* gramsOf(pattern: Pattern): Iterable<number> {
	for (const part of pattern.parts) {
		let gram = 0;
		for (let at = 0; at < part.length; at++) {
			gram = nextGram(gram, part.charCodeAt(at));
			if (at >= 2) yield gram;
		}
	}
}

/** A rule with its pattern prepared. */
export function indexRule(rule: RobotsRule, asWritten: boolean): IndexedRule {
	const pattern = compilePattern(rule.pattern, asWritten);
	return { pattern, rule, verdict: { allowed: rule.allow || pattern.length === 0, rule } };
}
