import { compilePattern, matchesPattern, type Pattern, type Text } from './pattern.ts';
import type { RobotsRule } from './types.ts';

/** A rule ready to be compared. */
export interface IndexedRule extends Pattern {
	readonly rule: RobotsRule;
}

/** A rule with its pattern prepared; `pattern` when it is not the one of the rule. */
export function indexRule(rule: RobotsRule, asWritten: boolean, pattern = rule.pattern): IndexedRule {
	const { parts, anchored, length } = compilePattern(pattern, asWritten);
	return { parts, anchored, length, rule };
}

/** Whether `a` decides over `b`: more octets, then allow over disallow, then the earlier line (RFC 9309 §2.2.2). */
export const decidesOver = (a: IndexedRule, b: IndexedRule | undefined): boolean => b === undefined || rank(a, b) > 0;

const rank = (a: IndexedRule, b: IndexedRule): number =>
	a.length - b.length || +a.rule.allow - +b.rule.allow || b.rule.line - a.rule.line;

/** Rules in the order in which they decide; `visit` keeps a path that repeats itself from trying them twice. */
interface Bucket {
	readonly rules: IndexedRule[];
	visit: number;
}

/**
 * The rules in force for one agent, arranged so that a path is answered by looking up what it contains
 * instead of by trying every rule.
 *
 * Rules without a star are looked up by the beginnings of the path that are as long as a rule is.
 * Rules with a star are found by a *gram*, four octets in a row that every path they match must contain; of the grams
 * of a rule the one with the fewest rules so far is taken. Only rules too short for that are tried one by one.
 *
 * One question reads at most the beginnings, which are different lengths of rules and so together no longer than the
 * file, and the path once for each starred rule that is tried.
 */
export class RuleIndex {
	/** Rules without a star, by their octets: those that match a beginning, and those that match a whole path. */
	readonly #beginnings = new Map<string, IndexedRule>();
	readonly #wholes = new Map<string, IndexedRule>();
	/** How long the beginnings are, the longest first. */
	readonly #lengths: readonly number[];
	/** By gram; without one, those that are too short to have any. */
	readonly #grams = new Map<number | undefined, Bucket>();
	#visit = 0;

	constructor(rules: readonly IndexedRule[]) {
		const starred = new Map<string, IndexedRule>();
		for (const rule of rules) {
			const { parts, anchored } = rule;
			const plain = anchored ? this.#wholes : this.#beginnings;
			// The same pattern a thousand times is one rule.
			const text = parts.join('*');
			if (parts.length === 1) keepDeciding(plain, text, rule);
			else keepDeciding(starred, anchored ? `${text}$` : text, rule);
		}
		this.#lengths = [...new Set([...this.#beginnings.keys()].map((text) => text.length))].sort((a, b) => b - a);
		for (const rule of starred.values()) this.#bucketFor(rule).rules.push(rule);
		for (const { rules } of this.#grams.values()) rules.sort((a, b) => rank(b, a));
	}

	/** The rule that decides about a path, in the form that the patterns have. */
	find(path: Text): IndexedRule | undefined {
		let best = pick(this.#grams.get(undefined), path, this.#findPlain(path));
		if (this.#grams.size === 0) return best;
		const visit = ++this.#visit;
		for (let at = 0; at + gramLength <= path.length; at++) {
			const bucket = this.#grams.get(gramAt(path, at));
			if (bucket === undefined || bucket.visit === visit) continue;
			bucket.visit = visit;
			best = pick(bucket, path, best);
		}
		return best;
	}

	#findPlain(path: Text): IndexedRule | undefined {
		const whole = this.#wholes.get(path.slice(0, path.length));
		for (const length of this.#lengths) {
			const found = length <= path.length ? this.#beginnings.get(path.slice(0, length)) : undefined;
			// The longest beginning decides over all others.
			if (found !== undefined) return whole !== undefined && decidesOver(whole, found) ? whole : found;
		}
		return whole;
	}

	#bucketFor({ parts }: Pattern): Bucket {
		let fewest = Number.POSITIVE_INFINITY;
		let best: number | undefined;
		for (const part of parts) {
			for (let at = 0; at + gramLength <= part.length && fewest > 0; at++) {
				const gram = gramAt(part, at);
				const rules = this.#grams.get(gram)?.rules.length ?? 0;
				if (rules < fewest) [fewest, best] = [rules, gram];
			}
		}
		const bucket = this.#grams.get(best) ?? { rules: [], visit: 0 };
		this.#grams.set(best, bucket);
		return bucket;
	}
}

function keepDeciding(table: Map<string, IndexedRule>, octets: string, rule: IndexedRule): void {
	if (decidesOver(rule, table.get(octets))) table.set(octets, rule);
}

/** The first rule of a bucket that matches, as long as it would decide over what is already found. */
function pick(bucket: Bucket | undefined, path: Text, best: IndexedRule | undefined): IndexedRule | undefined {
	for (const rule of bucket?.rules ?? []) {
		if (!decidesOver(rule, best)) return best;
		if (matchesPattern(rule, path)) return rule;
	}
	return best;
}

const gramLength = 4;

/** Four octets in one number. */
const gramAt = (text: Pick<Text, 'charCodeAt'>, at: number): number =>
	(text.charCodeAt(at) << 24) |
	((text.charCodeAt(at + 1) & 255) << 16) |
	((text.charCodeAt(at + 2) & 255) << 8) |
	(text.charCodeAt(at + 3) & 255);
