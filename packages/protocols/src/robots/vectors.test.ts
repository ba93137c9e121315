import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { needsShared, sharedPath } from '../../../../scripts/shared.ts';
import { upperEscapes } from './escapes.ts';
import { formatRobots, isProductToken, matchRobots, parseRobots, pathOfUrl, prepareRobots } from './index.ts';
import { type Reading, readings } from './modes.ts';
import { lineReport } from './testing/line-report.ts';
import { plainVerdict } from './testing/plain-matcher.ts';

interface Body {
	robots?: string;
	robots_base64?: string;
}

interface Vector extends Body {
	id: string;
	agent: string;
	url: string;
	expected: 'allow' | 'deny';
	line?: number;
	specific?: boolean;
}

interface UnitTables {
	allow: Vector[];
	pathParamsQuery: { url: string; expected: string }[];
	escapePattern: { pattern: string; expected: string }[];
	validUserAgent: { agent: string; valid: boolean }[];
	parse: (Body & { validDirectives: number; unknownDirectives: number; lastLineSeen: number; sitemaps: string[] })[];
	lineReport: (Body & { lastLine: number; validDirectives: number; unusedDirectives: number; lines: object[] })[];
}

function load<T>(name: string): T | undefined {
	const path = sharedPath(`vectors/${name}`);
	return path && JSON.parse(readFileSync(path, 'utf8'));
}

const body = ({ robots, robots_base64 }: Body): string | Uint8Array => robots ?? Buffer.from(robots_base64!, 'base64');
const read = (vector: Body, mode: 'google' | 'rfc9309' | 'default') => parseRobots(body(vector), { mode }).value;
const isAllowed = (vector: Vector, mode: 'google' | 'rfc9309' | 'default'): boolean =>
	matchRobots(read(vector, mode), vector.agent, vector.url).allowed;

const ctc = load<Vector[]>('robots-google-ctc.json');
const unit = load<UnitTables>('robots-google-unit.json');
const differential = load<Vector[]>('robots-differential.json');
/** Files that were made for this project, with the verdicts of google/robotstxt. */
const madeUp = JSON.parse(
	readFileSync(new URL('../../../../vectors/robots/google-verdicts.json', import.meta.url), 'utf8'),
) as Vector[];
/** Thousands of files, on a machine that may have other work. */
const slow = { timeout: 120_000 };

describe.each([
	['google-verdicts.json', madeUp],
	[`robots-differential.json ${needsShared}`, differential],
])('google mode answers as google/robotstxt: %s', slow, (_, vectors) => {
	it.skipIf(!vectors)('the deciding line, and whether a group names the agent', () => {
		const wrong = vectors!.filter((vector) => {
			const prepared = prepareRobots(read(vector, 'google'), vector.agent);
			const line = prepared.match(vector.url).rule?.line ?? 0;
			return line !== vector.line || (prepared.selected === 'specific') !== vector.specific;
		});
		expect(wrong.map(({ id }) => id)).toEqual([]);
	});

	it.skipIf(!vectors)('the same verdicts after formatRobots', () => {
		const wrong = vectors!.filter((vector) => {
			const robots = formatRobots(read(vector, 'google'));
			return isAllowed({ ...vector, robots }, 'google') !== (vector.expected === 'allow');
		});
		expect(wrong.map(({ id }) => id)).toEqual([]);
	});
});

it('google mode answers as google/robotstxt: google-verdicts.json: 994 verdicts', slow, () => {
	expect(madeUp).toHaveLength(994);
	const wrong = madeUp.filter((vector) => isAllowed(vector, 'google') !== (vector.expected === 'allow'));
	expect(wrong.map(({ id }) => id)).toEqual([]);
});

describe.skipIf(!ctc || !unit || !differential)(`google mode answers as google/robotstxt ${needsShared}`, slow, () => {
	for (const [name, vectors, count] of [
		['robots-google-ctc.json', ctc, 400],
		['robots-google-unit.json allow', unit?.allow, 145],
		['robots-differential.json', differential, 3000],
	] as const) {
		it(`${name}: ${count} verdicts`, () => {
			expect(vectors).toHaveLength(count);
			const wrong = vectors!.filter((vector) => isAllowed(vector, 'google') !== (vector.expected === 'allow'));
			expect(wrong.map(({ id }) => id)).toEqual([]);
		});
	}

	it('path of a URL', () => {
		for (const { url, expected } of unit!.pathParamsQuery) expect(pathOfUrl(url)).toBe(expected);
	});

	it('escapes of a pattern', () => {
		for (const { pattern, expected } of unit!.escapePattern) expect(upperEscapes(pattern)).toBe(expected);
	});

	it('product tokens', () => {
		for (const { agent, valid } of unit!.validUserAgent) expect([agent, isProductToken(agent)]).toEqual([agent, valid]);
	});

	it('directives, lines and sitemaps of a file', () => {
		for (const vector of unit!.parse) {
			const { lines } = lineReport(body(vector));
			const records = lines.filter(({ hasDirective }) => hasDirective);
			const unknown = records.filter(({ tag }) => tag === 'unknown');
			expect({
				validDirectives: records.length - unknown.length,
				unknownDirectives: unknown.length,
				lastLineSeen: records.at(-1)?.line,
				sitemaps: read(vector, 'google').sitemaps.map(({ value }) => value),
			}).toEqual({
				validDirectives: vector.validDirectives,
				unknownDirectives: vector.unknownDirectives,
				lastLineSeen: vector.lastLineSeen,
				sitemaps: vector.sitemaps,
			});
		}
	});

	it('problems of each line', () => {
		for (const { id: _, ...vector } of unit!.lineReport as (UnitTables['lineReport'][number] & { id: string })[]) {
			const report = lineReport(body(vector));
			expect(report).toEqual({ ...report, ...vector, robots: undefined });
		}
	});
});

/**
 * Where `rfc9309` and `default` answer otherwise than Google does. Each entry exchanges one switch of the mode for
 * Google's; a difference is explained by the smallest set of switches that brings Google's answer back.
 */
const google = readings.google;
const rules: Record<string, Partial<Reading>> = {
	'misspelt keys (RFC 9309 §2.2: exact keys)': { typos: true },
	'keys that only begin right (RFC 9309 §2.2: exact keys)': { prefixKeys: true, typos: true },
	'a missing colon (RFC 9309 §2.2)': { missingColon: 'always' },
	'agent lines that are not a product token, and agents asked about by their whole header (RFC 9309 §2.2.1)': {
		agentLines: 'cut',
	},
	'escapes brought to one form (RFC 9309 §2.2.2)': { escapesAsWritten: true },
	'index pages stand for themselves only': { indexPages: true },
	'half a byte order mark is not one (RFC 3629 §6)': { partialBom: true },
	'lines of any length are read': { lineLimit: google.lineLimit },
	'a Disallow with blanks that cannot be seen restricts': { invisible: false },
	'/robots.txt is always allowed (RFC 9309 §2.2.2)': { robotsTxtAllowed: false },
};

function explain(vector: Vector, mode: 'rfc9309' | 'default'): string[] | undefined {
	const own = readings[mode];
	const names = Object.keys(rules);
	const answersLikeGoogle = (chosen: string[]): boolean => {
		readings[mode] = Object.assign({ ...own }, ...chosen.map((name) => rules[name]));
		const same = isAllowed(vector, mode) === (vector.expected === 'allow');
		readings[mode] = own;
		return same;
	};
	for (let size = 1; size <= 3; size++) {
		for (const chosen of subsets(names, size)) if (answersLikeGoogle(chosen)) return chosen;
	}
	return undefined;
}

function* subsets(names: string[], size: number): Iterable<string[]> {
	if (size === 0) yield [];
	else
		for (const [at, name] of names.entries())
			for (const rest of subsets(names.slice(at + 1), size - 1)) yield [name, ...rest];
}

describe.each([
	['google-verdicts.json', madeUp],
	[`every file ${needsShared}`, differential && ctc && unit && [...differential, ...ctc, ...unit.allow]],
])('differences from google mode: %s', slow, (_, vectors = []) => {
	for (const mode of ['rfc9309', 'default'] as const) {
		it.skipIf(vectors.length === 0)(`every difference of ${mode} is explained by a listed rule`, () => {
			const different = vectors.filter((vector) => isAllowed(vector, mode) !== (vector.expected === 'allow'));
			const unexplained = different.filter((vector) => explain(vector, mode) === undefined);
			expect(unexplained.map(({ id }) => id)).toEqual([]);
			expect(different.length / vectors.length).toBeGreaterThan(0.02);
			expect(different.length / vectors.length).toBeLessThan(0.3);
		});
	}
});

const realFiles = sharedPath('data/robots');

describe.skipIf(!realFiles)(`real files ${needsShared}`, slow, () => {
	const files = realFiles ? readdirSync(realFiles).filter((name) => name.endsWith('.txt')) : [];
	for (const mode of ['rfc9309', 'google', 'default'] as const) {
		it(`REP-23 every one is read in ${mode} mode, indexed, formatted, with the same verdicts each way`, () => {
			expect(files.length).toBeGreaterThan(700);
			for (const name of files) {
				const bytes = readFileSync(`${realFiles}/${name}`);
				const { value } = parseRobots(bytes, { mode });
				const again = parseRobots(formatRobots(value), { mode }).value;
				const agents = [
					...value.groups.flatMap((group) => group.agents.map(({ name }) => name)).slice(0, 3),
					'ExampleBot',
				];
				const paths = value.groups.flatMap((group) => group.rules.map(({ pattern }) => pattern)).slice(0, 6);
				for (const agent of agents) {
					for (const url of [...paths.map((path) => path.replaceAll('*', 'x')), '/', '/index.html']) {
						const verdict = matchRobots(value, agent, url);
						expect([name, agent, url, verdict.allowed]).toEqual([
							name,
							agent,
							url,
							plainVerdict(value, agent, url).allowed,
						]);
						expect([name, agent, url, matchRobots(again, agent, url).allowed]).toEqual([
							name,
							agent,
							url,
							verdict.allowed,
						]);
					}
				}
			}
		});
	}
});
