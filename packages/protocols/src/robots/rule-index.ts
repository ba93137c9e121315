import { compilePattern, matchesPattern, type Pattern, type Text } from './pattern.ts';
import type { RobotsRule, RobotsVerdict } from './types.ts';

/** A rule ready to be compared, with the answer it gives. */
export interface IndexedRule {
	readonly pattern: Pattern;
	readonly rule: RobotsRule;
	readonly verdict: RobotsVerdict;
}

/** A rule with its pattern prepared. An empty pattern restricts nothing (RFC 9309 §2.2.2). */
export function indexRule(rule: RobotsRule, asWritten: boolean): IndexedRule {
	const pattern = compilePattern(rule.pattern, asWritten);
	return { pattern, rule, verdict: { allowed: rule.allow || pattern.length === 0, rule } };
}

/** Whether `a` decides over `b`: more octets, then allow over disallow, then the earlier line (RFC 9309 §2.2.2). */
export function decidesOver(a: IndexedRule, b: IndexedRule | undefined): boolean {
	if (b === undefined) return true;
	if (a.pattern.length !== b.pattern.length) return a.pattern.length > b.pattern.length;
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
 * Rules with a star are found by a *gram*, three octets in a row that every path they match must contain; of the grams
 * of a rule the one that the fewest rules share is taken. Only rules too short for that are tried one by one.
 */
export class RuleIndex {
	/** No star, by hash: those that match a beginning, and those that match a whole path. */
	readonly #beginnings = new Map<number, IndexedRule[]>();
	readonly #wholes = new Map<number, IndexedRule[]>();
	/** 1 for each length of a beginning that occurs, so that other lengths need no look-up. */
	readonly #lengths: Uint8Array;
	readonly #grams = new Map<number, Bucket>();
	readonly #short: Bucket = { rules: [], visit: 0 };
	#visit = 0;

	constructor(rules: readonly IndexedRule[]) {
		const plain = rules.filter(({ pattern }) => pattern.parts.length === 1);
		this.#lengths = new Uint8Array(
			plain.reduce((most, { pattern }) => Math.max(most, pattern.parts[0]!.length), 0) + 1,
		);
		for (const rule of plain) this.#addPlain(rule);
		this.#addStarred(rules.filter(({ pattern }) => pattern.parts.length > 1));
	}

	/** The rule that decides about a path, in the form that the patterns have. */
	find(path: Text): IndexedRule | undefined {
		const plain = this.#findPlain(path);
		const best = this.#short.rules.length === 0 ? plain : pick(this.#short, path, plain);
		return this.#grams.size === 0 ? best : this.#findStarred(path, best);
	}

	#addPlain(rule: IndexedRule): void {
		const text = rule.pattern.parts[0]!;
		let hash = 0;
		for (let at = 0; at < text.length; at++) hash = extend(hash, text.charCodeAt(at));
		if (!rule.pattern.anchored) this.#lengths[text.length] = 1;
		const table = rule.pattern.anchored ? this.#wholes : this.#beginnings;
		const bucket = table.get(hash);
		if (bucket === undefined) {
			table.set(hash, [rule]);
			return;
		}
		const same = bucket.findIndex((other) => other.pattern.parts[0] === text);
		if (same < 0) bucket.push(rule);
		else if (decidesOver(rule, bucket[same])) bucket[same] = rule;
	}

	#findPlain(path: Text): IndexedRule | undefined {
		const lengths = this.#lengths;
		const end = this.#wholes.size > 0 ? path.length : Math.min(path.length, lengths.length - 1);
		const candidates: IndexedRule[][] = [];
		let hash = 0;
		for (let at = 0; ; at++) {
			const bucket = lengths[at] === 1 ? this.#beginnings.get(hash) : undefined;
			if (bucket !== undefined) candidates.push(bucket);
			if (at === end) break;
			hash = extend(hash, path.charCodeAt(at));
		}
		const whole = this.#wholes.get(hash)?.find(({ pattern }) => matchesPattern(pattern, path));
		// From the longest down, so that one comparison of octets is enough unless two hashes are equal by chance.
		for (let at = candidates.length - 1; at >= 0; at--) {
			const found = candidates[at]!.find(({ pattern }) => matchesPattern(pattern, path));
			if (found !== undefined) return whole !== undefined && decidesOver(whole, found) ? whole : found;
		}
		return whole;
	}

	#addStarred(rules: readonly IndexedRule[]): void {
		const uses = new Map<number, number>();
		const gramsOfEach = rules.map(({ pattern }) => gramsOf(pattern));
		for (const grams of gramsOfEach) for (const gram of grams) uses.set(gram, (uses.get(gram) ?? 0) + 1);
		rules.forEach((rule, at) => {
			this.#bucketFor(rarest(gramsOfEach[at]!, uses)).rules.push(rule);
		});
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
			if (at < 2) continue;
			const bucket = this.#grams.get(gram);
			if (bucket === undefined || bucket.visit === visit) continue;
			bucket.visit = visit;
			best = pick(bucket, path, best);
		}
		return best;
	}
}

/** The first rule of a bucket that matches, as long as it would decide over what is already found. */
function pick(bucket: Bucket, path: Text, best: IndexedRule | undefined): IndexedRule | undefined {
	for (const rule of bucket.rules) {
		if (!decidesOver(rule, best)) return best;
		if (matchesPattern(rule.pattern, path)) return rule;
	}
	return best;
}

/** FNV's multiplier; the sum keeps a run of one octet from standing still. */
const extend = (hash: number, code: number): number => ((Math.imul(hash, 0x01000193) ^ code) + 0x9e37) | 0;

/** Three octets in one number. */
const nextGram = (gram: number, code: number): number => ((gram << 8) | (code & 255)) & 0xffffff;

function gramsOf({ parts }: Pattern): number[] {
	const grams: number[] = [];
	for (const part of parts) {
		let gram = 0;
		for (let at = 0; at < part.length; at++) {
			gram = nextGram(gram, part.charCodeAt(at));
			if (at >= 2) grams.push(gram);
		}
	}
	return grams;
}

function rarest(grams: readonly number[], uses: ReadonlyMap<number, number>): number | undefined {
	let best: number | undefined;
	let least = Number.POSITIVE_INFINITY;
	for (const gram of grams) {
		const count = uses.get(gram)!;
		if (count < least) {
			least = count;
			best = gram;
		}
	}
	return best;
}
