import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseRobots } from '../robots/index.ts';
import {
	checkUsageRecords,
	licencesOfHeaders,
	licencesOfRobots,
	metaRules,
	parseContentSignal,
	parseContentUsage,
	parseTdmrep,
	parseUsageRule,
	robots2FileState,
	robotsFileState,
	robotsTagRules,
} from './index.ts';

const vectors = (name: string) =>
	JSON.parse(readFileSync(new URL(`../../../../vectors/policy/${name}.json`, import.meta.url), 'utf8'));
const codes = (problems: readonly { code: string }[]) => problems.map(({ code }) => code);

describe('Content-Usage', () => {
	const { values, rules } = vectors('content-usage');
	for (const { text, value, problems } of values)
		it(`draft-ietf-aipref-vocab-07: ${text}`, () => {
			const parsed = parseContentUsage(text);
			expect(parsed.value).toEqual(value);
			expect(codes(parsed.problems)).toEqual(problems);
		});
	for (const { text, value } of rules)
		it(`draft-ietf-aipref-attach-05: ${text}`, () => {
			expect(parseUsageRule(text).value).toEqual(value);
		});
	it('places a problem of a path rule where the preferences begin', () => {
		const { problems } = parseUsageRule('/a  Train-AI=n', { line: 4, column: 16 });
		expect(problems).toMatchObject([{ code: 'content-usage-unparsable', severity: 'error', line: 4, column: 20 }]);
	});
});

describe('Content-Signal', () => {
	for (const { text, value, problems } of vectors('content-signal').values)
		it(`reads ${JSON.stringify(text)}`, () => {
			const parsed = parseContentSignal(text);
			expect(parsed.value).toEqual(value);
			expect(codes(parsed.problems)).toEqual(problems);
		});
	it('names the column of what it does not know', () => {
		const { problems } = parseContentSignal('search=yes,  train=no', { line: 3, column: 17 });
		expect(problems).toMatchObject([
			{ code: 'content-signal-unknown-key', line: 3, column: 30, args: { key: 'train' } },
		]);
	});
});

describe('checkUsageRecords', () => {
	it('XB-47 warns of a signal above the first group', () => {
		const { value } = parseRobots('Content-Signal: ai-train=no\nUser-agent: *\nAllow: /');
		expect(checkUsageRecords(value)).toMatchObject([
			{ code: 'signal-outside-group', severity: 'warning', line: 1, args: { key: 'Content-Signal' } },
		]);
	});
	it('finds what voids an opt-out', () => {
		const { value } = parseRobots(
			'User-agent: *\nContent-Usage: Train-AI=n\ncontent-usage: /a train-ai=n,\nContent-Signal: ai-train=disallow\nconstructor: x',
		);
		expect(checkUsageRecords(value)).toMatchObject([
			{ code: 'content-usage-unparsable', severity: 'error', line: 2, column: 16 },
			{ code: 'content-usage-unparsable', severity: 'error', line: 3, column: 19 },
			{ code: 'content-signal-unknown-value', severity: 'error', line: 4, column: 17 },
		]);
	});
});

describe('TDMRep', () => {
	for (const { title, text, value, problems } of vectors('tdmrep').files)
		it(title, () => {
			const parsed = parseTdmrep(text);
			expect(parsed.value).toHaveLength(value.length);
			expect(parsed.value).toMatchObject(value);
			expect(codes(parsed.problems)).toEqual(problems);
		});
	it('gives no line where locations and rules do not pair off', () => {
		const text = '[{ "location": "/", "tdm-reservation": 1, "x": { "location": "/y" } }]';
		expect(parseTdmrep(text).value).toMatchObject([{ location: '/', line: 0 }]);
	});
});

describe('robots tags', () => {
	for (const { title, headers, names, rules } of vectors('robots-tags').headers)
		it(title, () => {
			const pairs = headers.map((value: string) => ['X-Robots-Tag', value]);
			expect(robotsTagRules(pairs, names).map(({ rule }) => rule)).toEqual(rules);
		});
	it('XB-52 meta robots: the rules of one tag', () => {
		const rules = metaRules([{ name: 'robots', content: 'noindex,follow', line: 2 }], []);
		expect(rules).toMatchObject([
			{ rule: 'noindex', line: 2 },
			{ rule: 'follow', line: 2 },
		]);
	});
});

describe('RSL references', () => {
	it('reads License records wherever they stand', () => {
		const { value } = parseRobots('License: https://a.test/l.xml\nUser-agent: *\nDisallow:\nLicense: nowhere');
		expect(licencesOfRobots('r', value)).toMatchObject([{ url: 'https://a.test/l.xml', line: 1 }]);
	});
	it('reads Link headers with the type of RSL and leaves other licences alone', () => {
		const link = '</l.xml>; rel="license"; type="application/rsl+xml", <https://cc.test/>; rel="license"';
		expect(licencesOfHeaders({ source: 'https://a.test/x', headers: { link } })).toMatchObject([
			{ url: 'https://a.test/l.xml' },
		]);
	});
});

describe('whether there is a policy file', () => {
	it.each([
		[200, 'present'],
		[404, 'none'],
		[403, 'none'],
		[401, 'none'],
		[301, 'none'],
		[429, 'unreachable'],
		[500, 'unreachable'],
		[503, 'unreachable'],
	] as const)('AMB-09 RFC 9309 §2.3.1: %i is %s', (status, state) => {
		expect(robotsFileState(status)).toBe(state);
		expect(robots2FileState(status, 'text/plain')).toBe(state);
	});
	it('AMB-46 a web page in the place of robots2.txt is a soft 404', () => {
		expect(robots2FileState(200, 'Text/HTML; charset=utf-8')).toBe('none');
		expect(robots2FileState(500, 'text/html')).toBe('unreachable');
		expect(robots2FileState(200)).toBe('present');
	});
});
