import { describe, expect, it } from 'vitest';
import { parseRobots } from './index.ts';
import { readings } from './modes.ts';
import { compilePattern, matchesPattern } from './pattern.ts';
import { indexRule, RuleIndex } from './rule-index.ts';
import { CountedText } from './testing/counted-text.ts';
import { tryRules } from './try-rules.ts';

/** Octets of the path that are looked at. */
function reads(pattern: string, path: string): number {
	const counted = new CountedText(path);
	matchesPattern(compilePattern(pattern, false), counted);
	return counted.reads;
}

describe('matching reads each octet a bounded number of times', () => {
	const hostile: [name: string, pattern: (n: number) => string, path: (n: number) => string][] = [
		['XB-02 stars between letters', (n) => `/${'*a'.repeat(n)}*b$`, (n) => `/${'a'.repeat(n * 8)}`],
		['XB-01 runs of stars', (n) => `/${'*'.repeat(n)}.js*`, (n) => `/${'.j'.repeat(n * 8)}`],
		['a part that nearly fits everywhere', (n) => `/*${'a'.repeat(n)}b`, (n) => `/${'a'.repeat(n * 8)}`],
		['a part that nearly fits backwards', (n) => `/*b${'a'.repeat(n)}`, (n) => `/${'a'.repeat(n * 8)}`],
		['a part that repeats itself', (n) => `/*${'ab'.repeat(n)}c*`, (n) => `/${'ab'.repeat(n * 8)}`],
		['many parts that nearly fit', (n) => `/${`*${'a'.repeat(40)}b`.repeat(n)}`, (n) => `/${'a'.repeat(n * 50)}`],
	];
	for (const [name, pattern, path] of hostile) {
		it(`${name}: twice as long, twice the reads`, () => {
			const [once, twice] = [reads(pattern(100), path(100)), reads(pattern(200), path(200))];
			expect(twice).toBeLessThan(2.2 * once + 100);
		});
	}

	it('200 stars against 8 KB', () => {
		expect(reads(`/${'*a'.repeat(200)}*b$`, `/${'a'.repeat(8192)}`)).toBeLessThan(3 * 8192);
		expect(reads(`/${'*ab'.repeat(200)}*c`, `/${'ab'.repeat(4096)}`)).toBeLessThan(3 * 8192);
	});
});

/** Rules tried for one path. */
function trials(robots: string, path: string): number {
	const rules = parseRobots(robots, { maxBytes: 1e8 }).value.groups.flatMap((group) => group.rules);
	const counted = new CountedText(path);
	new RuleIndex(rules.map((rule) => indexRule(rule, false))).find(counted);
	return counted.trials;
}

describe('the first questions try every rule, reading each octet a bounded number of times', () => {
	const reads = (robots: string, path: string) => {
		const rules = parseRobots(robots, { maxBytes: 1e8 }).value.groups.flatMap((group) => group.rules);
		const counted = new CountedText(path);
		tryRules(rules, readings.default, counted);
		return { reads: counted.reads, trials: counted.trials, bytes: robots.length, rules: rules.length };
	};
	const many = (count: number, line: (at: number) => string) =>
		`User-agent: *\n${Array.from({ length: count }, (_, at) => line(at)).join('\n')}`;

	it('rules that begin otherwise are not tried: two octets each', () => {
		const { reads: read, trials } = reads(
			many(1000, (at) => `Disallow: /shop/item-${at}/`),
			'/blog/x',
		);
		expect(trials).toBe(0);
		expect(read).toBeLessThanOrEqual(2 * 1000);
	});

	it('AMB-148 beginnings, each of another length, cost no more than the file is long', () => {
		const file = many(500, (at) => `Disallow: /${'a'.repeat(at)}b`);
		const { reads: read, bytes } = reads(file, `/${'a'.repeat(2000)}`);
		expect(read).toBeLessThan(2 * bytes);
	});

	it('AMB-148 starred rules: each is tried once, over the path a bounded number of times', () => {
		const question = (rules: number, length: number) =>
			reads(
				many(rules, (at) => `Disallow: /*${'a'.repeat(60)}${at}b*c`),
				`/${'a'.repeat(length)}`,
			);
		const once = question(100, 1000);
		expect(once.trials).toBeLessThanOrEqual(once.rules);
		expect(question(200, 1000).reads).toBeLessThan(2.2 * once.reads);
		expect(question(100, 2000).reads).toBeLessThan(2.2 * once.reads);
		// Two searches, each charged with at most 32 octets at every place.
		expect(once.reads).toBeLessThan(once.rules * 1000 * 2 * 32);
	});
});

describe('a prepared file answers by index, not by trying every rule', () => {
	const many = (count: number, line: (at: number) => string) =>
		`User-agent: *\n${Array.from({ length: count }, (_, at) => line(at)).join('\n')}`;
	const shapes: [name: string, line: (at: number) => string, path: string][] = [
		['beginnings', (at) => `Disallow: /shop/item-${at}/`, '/shop/item-77/x'],
		['whole paths', (at) => `Disallow: /shop/item-${at}$`, '/shop/item-77'],
		['starred', (at) => `Disallow: /*/item-${at}/*?sort=`, '/en/item-77/list?sort=up'],
		[
			'starred, all with the same beginning and end',
			(at) => `Allow: /item/*${10_000 + at}*/print$`,
			'/item/x/10077/print',
		],
		['one pattern again and again', () => 'Disallow: /*/same*x', '/a/same'],
		['one beginning again and again', () => 'Disallow: /same', '/same'],
	];
	for (const [name, line, path] of shapes) {
		it(`${name}: 30,000 rules`, () => {
			expect(trials(many(30_000, line), path)).toBeLessThan(100);
		});
	}

	it('a path that repeats itself tries no rule twice', () => {
		expect(trials('User-agent: *\nDisallow: /*aaaab', `/${'a'.repeat(8192)}`)).toBeLessThanOrEqual(1);
	});

	it('nested beginnings: looked up, not compared', () => {
		expect(
			trials(
				many(2000, (at) => `Disallow: /${'a'.repeat(at)}`),
				`/${'a'.repeat(1500)}`,
			),
		).toBe(0);
	});

	/** A file, and the octets of a path that one question about it reads. */
	const cost = (robots: string, path: string) => {
		const rules = parseRobots(robots, { maxBytes: 1e8 }).value.groups.flatMap((group) => group.rules);
		const counted = new CountedText(path);
		new RuleIndex(rules.map((rule) => indexRule(rule, false))).find(counted);
		return { bytes: robots.length, reads: counted.reads, trials: counted.trials, rules: rules.length };
	};

	it.each([250, 500, 1000])(
		'AMB-148 %i beginnings, each of another length, cost no more than the file is long',
		(n) => {
			const lines = (at: number) => `Disallow: /${'a'.repeat(at)}b`;
			for (const path of [`/${'a'.repeat(n)}`, `/${'a'.repeat(4 * n)}`]) {
				const { bytes, reads } = cost(many(n, lines), path);
				expect(reads).toBeLessThan(bytes + 2 * path.length);
			}
		},
	);

	it('AMB-148 starred rules whose grams all occur: each is tried once, over the path once', () => {
		// All grams of two letters, so that no gram tells the rules from each other.
		const letters = (at: number) => at.toString(2).padStart(14, '0').replaceAll('0', 'a').replaceAll('1', 'b');
		const grams = 'aaaabaabbababbbb';
		const question = (rules: number, repeated: number) =>
			cost(
				many(rules, (at) => `Disallow: /*${letters(at)}c`),
				`/${grams.repeat(repeated)}`,
			);
		const once = question(500, 20);
		expect(once.trials).toBeLessThanOrEqual(once.rules);
		expect(question(1000, 20).reads).toBeLessThan(2.2 * once.reads);
		expect(question(500, 40).reads).toBeLessThan(2.2 * once.reads);
	});

	it('a path that is twice as long takes twice the reads', () => {
		const rules = parseRobots(many(3000, (at) => (at % 2 ? `Disallow: /*a-${at}*x` : `Disallow: /${at}/a`))).value
			.groups[0]!.rules;
		const index = new RuleIndex(rules.map((rule) => indexRule(rule, false)));
		const readsFor = (length: number) => {
			const counted = new CountedText(`/${'b-12'.repeat(length)}`);
			index.find(counted);
			return counted.reads;
		};
		expect(readsFor(2000)).toBeLessThan(2.2 * readsFor(1000));
	});
});
