import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseEscapes } from './escapes.ts';
import {
	checkRobots,
	formatRobots,
	matchRobots,
	parseRobots,
	pathOfUrl,
	prepareRobots,
	type RobotsMode,
} from './index.ts';
import { readings } from './modes.ts';
import { RuleIndex } from './rule-index.ts';
import { plainVerdict } from './testing/plain-matcher.ts';
import { tryRules, variantsOf } from './try-rules.ts';

const modes: readonly RobotsMode[] = ['rfc9309', 'google', 'default'];
const mode = fc.constantFrom(...modes);

const names = [
	'FooBot',
	'foobot',
	'BarBot',
	'AI2Bot',
	'AI',
	'FooBot/2.0',
	'Foo Bot',
	'test*',
	'*',
	'* x',
	'',
	'bücher',
];
const agent = fc.constantFrom(...names, 'Mozilla/5.0 (compatible; FooBot/2.1)', 'Nobody');
const pieces = [
	'/',
	'/a',
	'a',
	'b',
	'ab',
	'*',
	'**',
	'$',
	'%61',
	'%2F',
	'%2f',
	'%2A',
	'%24',
	'é',
	'%C3%A9',
	'%',
	'.',
	'?',
	'=',
	' ',
	'#',
	'index.html',
	'/index.htm',
	'~',
	'\0',
	'\u{1f600}',
	'|',
	'\ufeff',
	'<',
	'%0a',
	'\u00a0',
	'a'.repeat(40),
];
const pattern = fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map((parts) => parts.join(''));
const rooted = pattern.map((text) => `/${text}`);
const url = fc.oneof(
	rooted,
	rooted.map((path) => `https://example.com${path}`),
	pattern,
);
const keys = [
	'User-agent',
	'Useragent',
	'user agent',
	'Allow',
	'Allowed',
	'Disallow',
	'Disalow',
	'Disallow-AI',
	'Sitemap',
	'Crawl-delay',
	'Content-Signal',
	'Host',
	'X',
	'\ufeffUser-agent',
];
const separator = fc.constantFrom(':', ': ', ' : ', ' ', '\t', ':\v');
const line = fc
	.oneof(
		{ weight: 2, arbitrary: fc.tuple(fc.constantFrom('User-agent'), separator, fc.constantFrom(...names)) },
		{ weight: 4, arbitrary: fc.tuple(fc.constantFrom('Allow', 'Disallow'), separator, rooted) },
		{
			weight: 3,
			arbitrary: fc.tuple(
				fc.constantFrom(...keys),
				separator,
				fc.oneof(pattern, fc.constantFrom(...names, '5', '1,5')),
			),
		},
	)
	.map((parts) => parts.join(''));
const text = fc
	.tuple(
		fc.array(line, { maxLength: 24 }),
		fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\r\r\n'),
		fc.constantFrom('', '\ufeff', '\n'),
	)
	.map(([lines, end, head]) => head + lines.join(end));
/** Text with bytes exchanged, so that it is no longer UTF-8. */
const bytes = fc
	.tuple(text, fc.array(fc.tuple(fc.nat(400), fc.constantFrom(0, 0xef, 0xbb, 0xff, 0xc3)), { maxLength: 4 }))
	.map(([from, changes]) => {
		const out = new TextEncoder().encode(from);
		for (const [at, byte] of changes) if (at < out.length) out[at] = byte;
		return out;
	});
const input = fc.oneof(text, bytes, fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 200 }));

const runs = { numRuns: 400 };

describe('properties of robots.txt reading', () => {
	it('REP-23 no input makes it throw, and each problem has a place in the file', () => {
		fc.assert(
			fc.property(input, mode, agent, url, (robots, mode, agent, url) => {
				const { value, problems } = parseRobots(robots, { mode });
				expect(typeof matchRobots(value, agent, url).allowed).toBe('boolean');
				for (const { line, column } of [...problems, ...checkRobots(robots, { mode })]) {
					expect(line).toBeGreaterThan(0);
					expect(column).toBeGreaterThan(0);
				}
			}),
			runs,
		);
	});

	it('the index answers as trying every rule does, line included', () => {
		fc.assert(
			fc.property(input, mode, agent, fc.array(url, { minLength: 1, maxLength: 6 }), (robots, mode, agent, urls) => {
				const { value } = parseRobots(robots, { mode });
				const prepared = prepareRobots(value, agent);
				for (const url of urls) {
					const { allowed, rule } = prepared.match(url);
					expect({ allowed, line: rule?.line ?? 0 }).toEqual(plainVerdict(value, agent, url));
					expect(matchRobots(value, agent, url)).toEqual({ allowed, ...(rule && { rule }) });
				}
			}),
			{ numRuns: 1500 },
		);
	});

	it('a file answers several agents, in any order, as it answers each alone', () => {
		fc.assert(
			fc.property(input, mode, fc.array(agent, { minLength: 2, maxLength: 6 }), (robots, mode, agents) => {
				const { value } = parseRobots(robots, { mode });
				for (const agent of agents) {
					const alone = prepareRobots(parseRobots(robots, { mode }).value, agent);
					const { match: _, ...parts } = alone;
					expect(prepareRobots(value, agent)).toMatchObject(parts);
				}
			}),
			runs,
		);
	});

	it('trying every rule, as the first questions do, answers as the index does', () => {
		fc.assert(
			fc.property(input, mode, fc.array(url, { minLength: 1, maxLength: 6 }), (robots, mode, urls) => {
				const { value } = parseRobots(robots, { mode });
				const reading = readings[mode];
				for (const { rules } of value.groups) {
					const index = new RuleIndex(rules.flatMap((rule) => variantsOf(rule, reading)));
					for (const path of urls.map(pathOfUrl)) {
						const octets = reading.escapesAsWritten ? path : normaliseEscapes(path);
						const [tried, looked] = [tryRules(rules, reading, octets), index.find(octets)];
						expect([tried?.rule, tried?.length]).toEqual([looked?.rule, looked?.length]);
					}
				}
			}),
			{ numRuns: 1500 },
		);
	});

	it('a prepared file answers the same before and after it builds its index', () => {
		fc.assert(
			fc.property(input, mode, agent, url, (robots, mode, agent, url) => {
				const prepared = prepareRobots(parseRobots(robots, { mode }).value, agent);
				const verdicts = Array.from({ length: 20 }, () => prepared.match(url));
				expect(verdicts).toEqual(verdicts.map(() => verdicts[0]));
			}),
			runs,
		);
	});

	it('one form for every octet: escapes of unreserved ones decoded, all others and what no URI holds encoded', () => {
		const octet = fc.oneof(fc.nat(255), fc.constantFrom(0x25, 0x24, 0x2a, 0x7e, 0x5f));
		const written = fc.tuple(octet, fc.constantFrom('raw', 'upper', 'lower')).map(([code, form]) => {
			const hex = code.toString(16).padStart(2, '0');
			if (form === 'raw' && code < 128) return String.fromCharCode(code);
			return `%${form === 'lower' ? hex : hex.toUpperCase()}`;
		});
		fc.assert(
			fc.property(
				fc.array(written).map((parts) => parts.join('')),
				(text) => {
					const expected = text.replace(/%([\da-f]{2})|[\s\S]/gi, (found, hex?: string) => {
						const char = hex === undefined ? found : String.fromCharCode(Number.parseInt(hex, 16));
						if (/[\w.~-]/.test(char)) return char;
						if (hex !== undefined) return `%${hex.toUpperCase()}`;
						if ("!#%&'()+,/:;=?@[]".includes(char)) return char;
						return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
					});
					expect(normaliseEscapes(text)).toBe(expected);
				},
			),
			{ numRuns: 1500 },
		);
	});

	it('formatRobots changes no verdict, no delay and no record, and is its own normal form', () => {
		fc.assert(
			fc.property(input, mode, agent, url, (robots, mode, agent, url) => {
				const { value } = parseRobots(robots, { mode });
				const written = formatRobots(value);
				const again = parseRobots(written, { mode }).value;
				const [before, after] = [prepareRobots(value, agent), prepareRobots(again, agent)];
				expect(after.match(url).allowed).toBe(before.match(url).allowed);
				expect(after.match(url).rule?.pattern).toBe(before.match(url).rule?.pattern);
				expect(after.selected).toBe(before.selected);
				expect(after.crawlDelay).toBe(before.crawlDelay);
				expect(after.records.map(({ value }) => value)).toEqual(before.records.map(({ value }) => value));
				expect(formatRobots(again)).toBe(written);
			}),
			{ numRuns: 1500 },
		);
	});

	it('text and its UTF-8 bytes are read alike', () => {
		fc.assert(
			fc.property(text, mode, (robots, mode) => {
				expect(parseRobots(new TextEncoder().encode(robots), { mode })).toEqual(parseRobots(robots, { mode }));
			}),
			runs,
		);
	});

	it('where the names are plain, default never allows what rfc9309 refuses', () => {
		const rules = fc.array(
			fc.tuple(fc.constantFrom('Allow', 'Allowed', 'Disallow', 'Disalow', 'Disallaw'), separator, rooted),
			{ maxLength: 12 },
		);
		fc.assert(
			fc.property(rules, url, (rules, url) => {
				const robots = `User-agent: FooBot\n${rules.map((rule) => rule.join('')).join('\n')}`;
				const allowed = (mode: RobotsMode) => matchRobots(parseRobots(robots, { mode }).value, 'FooBot', url).allowed;
				if (allowed('default')) expect(allowed('rfc9309')).toBe(true);
			}),
			{ numRuns: 1500 },
		);
	});
});
