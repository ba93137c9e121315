import { compilePattern, matchesPattern, type Pattern, type Text } from './pattern.ts';
import type { RobotsRule } from './types.ts';

/** A rule ready to be compared. */
export interface IndexedRule extends Pattern {
	readonly rule: RobotsRule;
	/** Another rule in the same place of a table. */
	next: IndexedRule | undefined;
}

/** A rule with its pattern prepared; `pattern` when it is not the one of the rule. */
export function indexRule(rule: RobotsRule, asWritten: boolean, pattern = rule.pattern): IndexedRule {
	const { parts, anchored, length } = compilePattern(pattern, asWritten);
	return { parts, anchored, length, rule, next: undefined };
}

/** Whether `a` decides over `b`: more octets, then allow over disallow, then the earlier line (RFC 9309 §2.2.2). */
export function decidesOver(a: IndexedRule, b: IndexedRule | undefined): boolean {
	if (b === undefined) return true;
	if (a.length !== b.length) return a.length > b.length;
	if (a.rule.allow !== b.rule.allow) return a.rule.allow;
	return a.rule.line < b.rule.line;
}

/** Rules in the order in which they decide; `visit` keeps a path that repeats itself from trying them twice. */
interface Bucket {
	readonly rules: IndexedRule[];
	visit: number;
}

/**
 * The rules in force for one agent, arranged so that a path is answered by looking up what it contains
 * instead of by trying every rule.
 *
 * Rules without a star are found by the hash of the path's beginnings, computed octet by octet along the path.
 * Rules with a star are found by a *gram*, four octets in a row that every path they match must contain; of the grams
 * of a rule the one that the fewest rules share is taken. Only rules too short for that are tried one by one.
 */
export class RuleIndex {
	/** The rules without a star, by the hash of their octets. */
	readonly #plain = new Map<number, IndexedRule>();
	/** 1 for each length of such a rule that occurs, so that other lengths need no look-up. */
	readonly #lengths: Uint8Array;
	readonly #grams = new Map<number, Bucket>();
	readonly #short: Bucket = { rules: [], visit: 0 };
	#visit = 0;

	constructor(rules: readonly IndexedRule[]) {
		const plain = rules.filter(({ parts }) => parts.length === 1);
		this.#lengths = new Uint8Array(plain.reduce((most, { parts }) => Math.max(most, parts[0]!.length), 0) + 1);
		for (const rule of plain) this.#addPlain(rule);
		if (plain.length < rules.length) this.#addStarred(rules.filter(({ parts }) => parts.length > 1));
	}

	/** The rule that decides about a path, in the form that the patterns have. */
	find(path: Text): IndexedRule | undefined {
		const plain = this.#findPlain(path);
		const best = this.#short.rules.length === 0 ? plain : pick(this.#short, path, plain);
		return this.#grams.size === 0 ? best : this.#findStarred(path, best);
	}

	#addPlain(rule: IndexedRule): void {
		const text = rule.parts[0]!;
		let hash = 0;
		for (let at = 0; at < text.length; at++) hash = extend(hash, text.charCodeAt(at));
		this.#lengths[text.length] = 1;
		const first = this.#plain.get(hash);
		// The same pattern a thousand times is one rule.
		for (let other = first; other !== undefined; other = other.next) {
			if (other.parts[0] === text && other.anchored === rule.anchored && !decidesOver(rule, other)) return;
		}
		rule.next = first;
		this.#plain.set(hash, rule);
	}

	#findPlain(path: Text): IndexedRule | undefined {
		const lengths = this.#lengths;
		const end = Math.min(path.length, lengths.length - 1);
		const candidates: IndexedRule[] = [];
		let hash = 0;
		for (let at = 0; ; at++) {
			const candidate = lengths[at] === 1 ? this.#plain.get(hash) : undefined;
			if (candidate !== undefined) candidates.push(candidate);
			if (at === end) break;
			hash = extend(hash, path.charCodeAt(at));
		}
		// From the longest down, so that one comparison of octets is enough unless two hashes are equal by chance.
		for (let at = candidates.length - 1; at >= 0; at--) {
			const found = bestOfChain(candidates[at], path);
			if (found !== undefined) return found;
		}
		return undefined;
	}

	#addStarred(rules: readonly IndexedRule[]): void {
		const unique = new Map<string, IndexedRule>();
		for (const rule of rules) {
			const pattern = rule.parts.join('*') + (rule.anchored ? '$' : '');
			if (decidesOver(rule, unique.get(pattern))) unique.set(pattern, rule);
		}
		const uses = new Uint32Array(countersFor(unique.size));
		for (const rule of unique.values()) countGrams(rule, uses);
		for (const rule of unique.values()) this.#bucketFor(rarestGram(rule, uses)).rules.push(rule);
		for (const { rules } of [this.#short, ...this.#grams.values()]) rules.sort((a, b) => (decidesOver(a, b) ? -1 : 1));
	}

	#bucketFor(gram: number | undefined): Bucket {
		if (gram === undefined) return this.#short;
		const known = this.#grams.get(gram);
		if (known !== undefined) return known;
		const bucket: Bucket = { rules: [], visit: 0 };
		this.#grams.set(gram, bucket);
		return bucket;
	}

	#findStarred(path: Text, plain: IndexedRule | undefined): IndexedRule | undefined {
		let best = plain;
		const visit = ++this.#visit;
		let gram = 0;
		for (let at = 0; at < path.length; at++) {
			gram = nextGram(gram, path.charCodeAt(at));
			if (at < gramLength - 1) continue;
			const bucket = this.#grams.get(gram);
			if (bucket === undefined || bucket.visit === visit) continue;
			bucket.visit = visit;
			best = pick(bucket, path, best);
		}
		return best;
	}
}

/** Of the rules in one place of a table, the one that matches and decides. Chains are short: equal hashes of different octets, by chance. */
function bestOfChain(first: IndexedRule | undefined, path: Text): IndexedRule | undefined {
	let best: IndexedRule | undefined;
	for (let rule = first; rule !== undefined; rule = rule.next) {
		if (matchesPattern(rule, path) && decidesOver(rule, best)) best = rule;
	}
	return best;
}

/** The first rule of a bucket that matches, as long as it would decide over what is already found. */
function pick(bucket: Bucket, path: Text, best: IndexedRule | undefined): IndexedRule | undefined {
	for (const rule of bucket.rules) {
		if (!decidesOver(rule, best)) return best;
		if (matchesPattern(rule, path)) return rule;
	}
	return best;
}

/** FNV's multiplier; the sum keeps a run of one octet from standing still. */
const extend = (hash: number, code: number): number => ((Math.imul(hash, 0x01000193) ^ code) + 0x9e37) | 0;

/** Four octets in one number. */
const nextGram = (gram: number, code: number): number => (gram << 8) | (code & 255);
const gramLength = 4;

/** A power of two; grams share counters, since only what is rare must be found, not how rare it is. */
const countersFor = (rules: number): number => 2 ** Math.min(18, 6 + Math.ceil(Math.log2(rules)));
const counterOf = (gram: number, counters: number): number => (Math.imul(gram, 0x9e3779b1) >>> 8) & (counters - 1);

function countGrams({ parts }: Pattern, uses: Uint32Array): void {
	for (const part of parts) {
		let gram = 0;
		for (let at = 0; at < part.length; at++) {
			gram = nextGram(gram, part.charCodeAt(at));
			if (at >= gramLength - 1) uses[counterOf(gram, uses.length)]!++;
		}
	}
}

/** Undefined when no part is long enough. */
function rarestGram({ parts }: Pattern, uses: Uint32Array): number | undefined {
	let rarest: number | undefined;
	let least = Number.POSITIVE_INFINITY;
	for (const part of parts) {
		let gram = 0;
		for (let at = 0; at < part.length; at++) {
			gram = nextGram(gram, part.charCodeAt(at));
			const count = uses[counterOf(gram, uses.length)]!;
			if (at >= gramLength - 1 && count < least) {
				least = count;
				rarest = gram;
			}
		}
	}
	return rarest;
}
