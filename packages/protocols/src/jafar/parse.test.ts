import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { needsShared, sharedPath } from '../../../../scripts/shared.ts';
import { compileRanges, parseFormatVersion, parseRanges } from './index.ts';

interface Vector {
	readonly id: string;
	readonly requirements: readonly string[];
	readonly list?: unknown;
	readonly text?: string;
	readonly base64?: string;
	readonly format?: string;
	readonly synctoken?: string;
	readonly creationTime?: string;
	readonly problems: readonly string[];
	/** Address to services; null where the address is not listed. Null as a whole where the list is refused. */
	readonly lookups: Readonly<Record<string, readonly string[] | null>> | null;
}

const vectors = JSON.parse(
	readFileSync(new URL('../../../../vectors/jafar/lists.json', import.meta.url), 'utf8'),
) as Vector[];

function inputOf({ text, base64, list }: Vector): string | Uint8Array {
	return base64 === undefined ? (text ?? JSON.stringify(list)) : Buffer.from(base64, 'base64');
}

describe('lists: vectors/jafar/lists.json', () => {
	it.each(vectors.map((vector) => [[...vector.requirements, vector.id].join(' '), vector] as const))(
		'%s',
		(_, vector) => {
			const { value, problems } = parseRanges(inputOf(vector));
			expect(problems.map(({ code }) => code)).toEqual(vector.problems);
			expect(value === undefined).toBe(vector.lookups === null);
			if (value === undefined) return;
			expect(value.format).toBe(vector.format ?? 'jafar');
			if (vector.synctoken !== undefined) expect(value.synctoken).toBe(vector.synctoken);
			if (vector.creationTime !== undefined) expect(value.creationTime).toBe(vector.creationTime);
			const index = compileRanges([value]);
			for (const [address, services] of Object.entries(vector.lookups ?? {})) {
				expect(index.lookup(address)[0]?.services ?? null, address).toEqual(services);
			}
		},
	);
});

it('JAF-11 G2-81: services keep their capitals, when parsed and in a lookup', () => {
	const prefixes = [
		{ ipv4Prefix: '192.0.2.0/24', service: 'FetchBot-Images' },
		{ ipv4Prefix: '192.0.2.0/24', service: 'fetchbot-images' },
		{ ipv6Prefix: '2001:db8::/32', services: ['ÉcoleBot', 'BOT', 'bot'] },
	];
	const list = parseRanges(JSON.stringify({ formatVersion: '1.0', synctoken: '1', prefixes })).value;
	expect(list?.prefixes.map(({ services }) => services)).toEqual([
		['FetchBot-Images'],
		['fetchbot-images'],
		['ÉcoleBot', 'BOT', 'bot'],
	]);
	const index = compileRanges(list === undefined ? [] : [list]);
	expect(index.lookup('192.0.2.7')[0]?.services).toEqual(['FetchBot-Images', 'fetchbot-images']);
	expect(index.lookup('2001:db8::7')[0]?.services).toEqual(['ÉcoleBot', 'BOT', 'bot']);
});

it('JAF-05 G2-82: notes of the list and of an entry are kept, and affect no match', () => {
	const entry = { ipv4Prefix: '192.0.2.0/24', service: 'x' };
	const read = (more: object, inEntry: object) => {
		const list = { formatVersion: '1.0', synctoken: '1', creationTime: '2026-01-01T00:00:00Z', ...more };
		const { value } = parseRanges(JSON.stringify({ ...list, prefixes: [{ ...entry, ...inEntry }] }));
		if (value === undefined) throw new Error('a list was expected');
		return { value, match: compileRanges([value]).lookup('192.0.2.7') };
	};
	const bare = read({}, {});
	const noted = read({ notes: 'Daily. ÄÖ' }, { notes: 'Search' });
	expect([noted.value.notes, noted.value.prefixes[0]?.notes]).toEqual(['Daily. ÄÖ', 'Search']);
	expect([bare.value.notes, bare.value.prefixes[0]?.notes]).toEqual([undefined, undefined]);
	expect(noted.match).toEqual(bare.match);
	expect(read({}, { notes: { of: 'another kind' } }).value.prefixes[0]?.notes).toBeUndefined();
});

describe('positions', () => {
	it('a problem names the place of the value, a problem of the whole file none', () => {
		const text = '{\n  "prefixes": [\n    { "ipv4Prefix": "192.0.2.1/24" },\n    { }\n  ]\n}\n';
		expect(parseRanges(text).problems.map(({ code, line, column, args }) => [code, line, column, args])).toEqual([
			['ranges-missing-creation-time', 0, 0, {}],
			['ranges-host-bits', 3, 21, { prefix: '192.0.2.1/24', family: 'IPv4', meant: '192.0.2.0/24' }],
			['ranges-prefix-fields', 4, 5, {}],
		]);
		expect(parseRanges('{\n"a": x}').problems).toMatchObject([{ code: 'ranges-invalid-json', line: 2, column: 6 }]);
	});

	it('many problems are counted, not listed', () => {
		const { problems } = parseRanges(JSON.stringify({ formatVersion: '1.0', prefixes: Array(5000).fill({}) }));
		expect(problems).toHaveLength(1001);
		expect(problems.at(-1)).toMatchObject({ code: 'ranges-omitted', args: { count: 4002 } });
	});
});

describe('parseFormatVersion, JAFAR §3.2', () => {
	it('JAF-24 minor versions are numbers, not decimals', () => {
		expect(parseFormatVersion('1.10')).toEqual({ major: 1, minor: 10 });
		const versions = ['1.10', '1.9', '1.11'].map((text) => parseFormatVersion(text)!);
		expect(versions.sort((a, b) => a.minor - b.minor).map(({ minor }) => minor)).toEqual([9, 10, 11]);
		expect(['1', '1.', '.1', '1.0.0', 'v1.0', '-1.0', ''].map(parseFormatVersion)).toEqual(Array(7).fill(undefined));
	});
});

describe('a list without a synctoken', () => {
	it('gets a hash of its prefixes, whatever their order and whatever else the file says', () => {
		const a = { ipv4Prefix: '192.0.2.0/24' };
		const b = { ipv6Prefix: '2001:DB8::/32', service: 'x' };
		const token = (file: object) => parseRanges(JSON.stringify(file)).value?.synctoken;
		expect(token({ prefixes: [a, b] })).toBe(token({ creationTime: '2025-08-15T14:30:00Z', prefixes: [b, a] }));
		expect(token({ prefixes: [a, b] })).not.toBe(token({ prefixes: [a] }));
		expect(token({ prefixes: [a, b] })).not.toBe(token({ prefixes: [a, { ...b, service: 'y' }] }));
	});
});

describe('any input', () => {
	it('never throws', () => {
		fc.assert(fc.property(fc.oneof(fc.string(), fc.uint8Array()), (input) => void parseRanges(input)));
		const value = fc.jsonValue();
		const entry = fc.record(
			{ ipv4Prefix: value, ipv6Prefix: value, service: value, services: value },
			{ requiredKeys: [] },
		);
		const file = fc.record({ formatVersion: value, synctoken: value, creationTime: value, prefixes: fc.array(entry) });
		fc.assert(fc.property(file, (list) => void parseRanges(JSON.stringify({ ...list, formatVersion: '1.0' }))));
		fc.assert(fc.property(file, (list) => void parseRanges(JSON.stringify(list))));
	});
});

const folder = sharedPath('data/ip-ranges');
describe.skipIf(folder === undefined)(`files of today ${needsShared}`, () => {
	const files = (kind: string) => readdirSync(`${folder}/${kind}`).map((name) => `${kind}/${name}`);
	const all = folder === undefined ? [] : ['raw', 'derived', 'reconstructed'].flatMap(files);

	it.each(all)('%s is read or refused without a throw', (name) => {
		const bytes = readFileSync(`${folder}/${name}`);
		const { value, problems } = parseRanges(bytes);
		const isList = /google-(?!.*moved)|anthropic|apple|ccbot|duckduckbot\.json|microsoft|openai|perplexity/.test(name);
		if (name.startsWith('derived/') || !isList) {
			if (value === undefined) expect(problems.at(-1)?.severity).toBe('error');
			return;
		}
		const entries = (JSON.parse(bytes.toString('utf8')) as { prefixes: unknown[] }).prefixes;
		expect(value?.format).toBe(problems.some(({ code }) => code === 'ranges-creation-time') ? 'legacy' : 'jafar');
		expect(value?.prefixes).toHaveLength(entries.length);
		expect(value?.creationTime).toMatch(/Z$/);
	});
});
