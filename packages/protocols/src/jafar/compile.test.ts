import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	aggregateRanges,
	buildRanges,
	type Cidr,
	checkRangesSuccession,
	compileRanges,
	diffRanges,
	formatRanges,
	hostCidr,
	mergeRanges,
	parseCidr,
	parseRanges,
	type RangePrefix,
} from './index.ts';

/** Ranges and addresses from a small corner of each family, so that they meet. */
const ipv4 = fc.tuple(fc.constantFrom(10, 255, 0), fc.nat(3), fc.nat(255)).map(([a, b, c]) => `${a}.0.${b}.${c}`);
const ipv6 = fc.tuple(fc.constantFrom('', '2001:db8', 'ffff'), fc.nat(15)).map(([a, b]) => `${a}::${b.toString(16)}`);
const address = fc.oneof(
	ipv4,
	ipv6,
	ipv4.map((text) => `::ffff:${text}`),
);
const range = fc
	.tuple(fc.oneof(ipv4, ipv6), fc.nat(16))
	.map(([text, wider]) => cut(text, (text.includes(':') ? 128 : 32) - wider));
const prefix = fc.record({ range, services: fc.subarray(['a', 'b', 'c'], { maxLength: 2 }) });
const list = fc.record({ prefixes: fc.array(prefix, { maxLength: 12 }) });

/** The range of `length` bits around an address. */
function cut(text: string, length: number): Cidr {
	const bits = BigInt((text.includes(':') ? 128 : 32) - length);
	const { family, words } = hostCidr(text)!;
	const value = (words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n) >> bits) << bits;
	const parts = words.map((_, index) => Number((value >> BigInt(32 * (words.length - 1 - index))) & 0xffffffffn));
	const hex = parts.map((word) => `${(word >>> 16).toString(16)}:${(word & 0xffff).toString(16)}`).join(':');
	const four = [24, 16, 8, 0].map((shift) => (parts[0]! >>> shift) & 255).join('.');
	return parseCidr(`${family === 4 ? four : hex}/${length}`) as Cidr;
}

/** The same question, answered by trying every range. */
function scan(prefixes: readonly RangePrefix[], text: string): { prefix: string; services: string[] } | undefined {
	const { family, words } = hostCidr(text)!;
	const holding = prefixes.filter(({ range }) => range.family === family && cutWords(words, range));
	if (holding.length === 0) return undefined;
	const longest = Math.max(...holding.map(({ range }) => range.length));
	const best = holding.filter(({ range }) => range.length === longest);
	return { prefix: best[0]!.range.text, services: [...new Set(best.flatMap(({ services }) => services))] };
}

function cutWords(words: readonly number[], { words: start, length }: Cidr): boolean {
	const bits = (all: readonly number[]) =>
		all
			.map((word) => word.toString(2).padStart(32, '0'))
			.join('')
			.slice(0, length);
	return bits(words) === bits(start);
}

describe('compileRanges', () => {
	it('JAF-26 answers as trying every range would, for each list by itself', () => {
		fc.assert(
			fc.property(
				fc.array(list, { maxLength: 3 }),
				fc.array(address, { minLength: 1, maxLength: 20 }),
				(lists, addresses) => {
					const index = compileRanges(lists);
					for (const text of addresses) {
						const expected = lists.flatMap(({ prefixes }, at) => {
							const found = scan(prefixes, text);
							return found === undefined ? [] : [{ list: at, ...found }];
						});
						expect(index.lookup(text), text).toEqual(expected);
					}
				},
			),
			{ numRuns: 1000 },
		);
	});

	it('AMB-66 a range of several lists is reported for each', () => {
		const read = (services: string[]) => ({ prefixes: [{ range: cut('192.0.2.0', 24), services }] });
		expect(compileRanges([read(['GPTBot']), read([]), read(['OAI-SearchBot'])]).lookup('192.0.2.9')).toEqual([
			{ list: 0, prefix: '192.0.2.0/24', services: ['GPTBot'] },
			{ list: 1, prefix: '192.0.2.0/24', services: [] },
			{ list: 2, prefix: '192.0.2.0/24', services: ['OAI-SearchBot'] },
		]);
	});

	it('allocates nothing on a miss: every miss is the same empty answer', () => {
		const index = compileRanges([{ prefixes: [{ range: cut('192.0.2.0', 24), services: [] }] }]);
		expect(index.lookup('198.51.100.1')).toBe(index.lookup('2001:db8::1'));
		expect(index.lookup('nonsense')).toBe(index.lookup('198.51.100.1'));
	});

	it('JAF-06 no lists, no matches', () => {
		expect(compileRanges([]).lookup('192.0.2.1')).toEqual([]);
		expect(compileRanges([{ prefixes: [] }]).lookup('::1')).toEqual([]);
	});
});

const time = Date.UTC(2025, 7, 15, 14, 30);

describe('building', () => {
	it('JAF-02 JAF-04 JAF-08 writes all members in the strict form, and reads them back unchanged', () => {
		fc.assert(
			fc.property(fc.array(prefix), fc.option(fc.string(), { nil: undefined }), (prefixes, notes) => {
				const built = buildRanges(prefixes, { time, ...(notes !== undefined && { notes }) });
				const file = JSON.parse(formatRanges(built)) as Record<string, unknown>;
				expect(file).toMatchObject({ formatVersion: '1.0', creationTime: '2025-08-15T14:30:00Z' });
				expect(file.synctoken).toEqual(expect.any(String));
				for (const entry of file.prefixes as Record<string, string>[]) {
					expect(Object.keys(entry).filter((name) => /^ipv[46]Prefix$/.test(name))).toHaveLength(1);
					expect(parseCidr((entry.ipv4Prefix ?? entry.ipv6Prefix)!)).toMatchObject({
						family: entry.ipv4Prefix ? 4 : 6,
					});
				}
				const { value, problems } = parseRanges(formatRanges(built));
				expect(problems).toEqual([]);
				expect(buildRanges(value!.prefixes, { time, ...(notes !== undefined && { notes }) })).toEqual(built);
			}),
		);
	});

	it('JAF-06 an operator without ranges publishes an empty array', () => {
		const text = formatRanges(buildRanges([], { time }));
		expect(JSON.parse(text)).toMatchObject({ prefixes: [] });
		expect(parseRanges(text).problems).toEqual([]);
	});

	it('JAF-03 the synctoken changes with the prefixes and with nothing else', () => {
		const a = { range: cut('192.0.2.0', 24), services: ['A'] };
		const b = { range: cut('2001:db8::', 32), services: [] };
		const token = (prefixes: RangePrefix[], at = time) => buildRanges(prefixes, { time: at }).synctoken;
		expect(token([a, b])).toBe(token([b, a], time + 86_400_000));
		expect(token([a, b])).not.toBe(token([a]));
		expect(token([a, b])).not.toBe(token([{ ...a, services: ['B'] }, b]));
		expect(token([a, b])).not.toBe(token([a, { ...b, range: cut('2001:db8::', 33) }]));
	});

	it('JAF-27 an aggregated list says for every range where it came from', () => {
		const merged = mergeRanges([
			{ operator: 'One', list: { prefixes: [{ range: cut('192.0.2.0', 24), services: [] }] } },
			{
				operator: 'Two',
				list: {
					prefixes: [
						{ range: cut('192.0.2.0', 24), services: ['Search', 'Ads'] },
						{ range: cut('10.0.0.0', 8), services: [] },
					],
				},
			},
		]);
		expect(merged.map(({ range, services }) => [range.text, services])).toEqual([
			['10.0.0.0/8', ['Two']],
			['192.0.2.0/24', ['One', 'Two/Search', 'Two/Ads']],
		]);
	});
});

describe('aggregateRanges', () => {
	const answers = (prefixes: readonly RangePrefix[], text: string) =>
		compileRanges([{ prefixes }]).lookup(text)[0]?.services.toSorted();

	it('changes no answer, and never adds a range', () => {
		fc.assert(
			fc.property(list, fc.array(address, { minLength: 1 }), ({ prefixes }, addresses) => {
				const fewer = aggregateRanges(prefixes);
				expect(fewer.length).toBeLessThanOrEqual(prefixes.length);
				for (const text of addresses) expect(answers(fewer, text), text).toEqual(answers(prefixes, text));
				expect(aggregateRanges(fewer)).toEqual(fewer);
			}),
			{ numRuns: 500 },
		);
	});

	it('joins what belongs together, and only that', () => {
		const read = (text: string, ...services: string[]) => ({ range: parseCidr(text) as Cidr, services });
		const texts = (...prefixes: RangePrefix[]) => aggregateRanges(prefixes).map(({ range }) => range.text);
		const quarters = ['192.0.2.0/26', '192.0.2.64/26', '192.0.2.128/26', '192.0.2.192/26'];
		expect(texts(...quarters.map((text) => read(text)))).toEqual(['192.0.2.0/24']);
		expect(texts(read('192.0.2.0/25', 'a'), read('192.0.2.128/25', 'b'))).toEqual(['192.0.2.0/25', '192.0.2.128/25']);
		expect(texts(read('10.0.0.0/8', 'a'), read('10.1.0.0/16', 'b'), read('10.1.1.0/24', 'a'))).toHaveLength(3);
		expect(texts(read('10.0.0.0/8', 'a'), read('10.1.0.0/16', 'a'))).toEqual(['10.0.0.0/8']);
		expect(texts(read('::/1'), read('8000::/1'))).toEqual(['::/0']);
	});
});

describe('diffRanges', () => {
	it('names what came, what went and what serves something else now', () => {
		const read = (text: string, ...services: string[]) => ({ range: parseCidr(text) as Cidr, services });
		const previous = { prefixes: [read('192.0.2.0/24'), read('10.0.0.0/8', 'a'), read('11.0.0.0/8', 'a', 'b')] };
		const next = { prefixes: [read('10.0.0.0/8', 'b'), read('2001:db8::/32'), read('11.0.0.0/8', 'b', 'a')] };
		const { added, removed, changed } = diffRanges(previous, next);
		expect(added.map(({ range }) => range.text)).toEqual(['2001:db8::/32']);
		expect(removed.map(({ range }) => range.text)).toEqual(['192.0.2.0/24']);
		const list = (synctoken: string, { prefixes }: typeof previous) => ({
			format: 'jafar' as const,
			synctoken,
			prefixes,
		});
		expect(checkRangesSuccession(list('a', previous), list('a', next))).toMatchObject([
			{ code: 'ranges-synctoken-unchanged' },
		]);
		expect(checkRangesSuccession(list('a', previous), list('b', next))).toEqual([]);
		expect(checkRangesSuccession(list('a', previous), list('a', previous))).toEqual([]);
		expect(changed).toMatchObject([{ range: { text: '10.0.0.0/8' }, before: ['a'], after: ['b'] }]);
	});
});
