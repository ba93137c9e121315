import { expect, it } from 'vitest';
import { matchRobots, parseRobots } from '../robots/index.ts';
import { parseRobots2 } from '../robots2/index.ts';
import { decide, parseTdmrep, robotsTagRules } from './index.ts';

const rules = (value: string) => robotsTagRules({ 'robots-tag': value }, ['QuayReader']).map(({ rule }) => rule);

it('P2-40 a rule that is false does not count, and values are read as in X-Robots-Tag', () => {
	expect(rules('*;nosnippet=?0;noarchive;max-snippet=0')).toEqual(['noarchive', 'max-snippet:0']);
	expect(rules('OtherBot;noindex, quayreader;nosnippet')).toEqual(['nosnippet']);
});

it('P2-40 the complete members of a field that is too long count', () => {
	const long = `*;nosnippet, ${'OtherBot;noindex, '.repeat(1500)}*;noarchive`;
	expect(rules(long)).toEqual(['nosnippet']);
	expect(rules(`*;nosnippet, *;unavailable-after="${'x'.repeat(20_000)}"`)).toEqual(['nosnippet']);
});

it('of two rules of tdmrep.json for one location the first counts', () => {
	const { value } = parseTdmrep('[{"location":"/x","tdm-reservation":0},{"location":"/x","tdm-reservation":1}]');
	const files = { tdmrep: { source: 'https://a.test/t', value } };
	const verdict = decide({ files }, { token: 'A' }, 'train', 'https://a.test/x');
	expect(verdict.permitted).toBe(true);
});

it('P2-113 a Disallow whose key has an invisible blank counts in default mode only', () => {
	const text = 'User-agent: *\nAllow: /y\n\u200bDisallow: /x\n';
	const allowed = (mode: 'default' | 'rfc9309') => matchRobots(parseRobots(text, { mode }).value, 'A', '/x').allowed;
	expect([allowed('default'), allowed('rfc9309')]).toEqual([false, true]);
});

it.each(['le', 'be'])('P2-100 a robots2.txt in UTF-16 (%s) is read, and the problem is an error', (order) => {
	const bytes = Buffer.from('\ufefftrain: no\ncrawl: yes\n', 'utf16le');
	const { value, problems } = parseRobots2(order === 'be' ? bytes.swap16() : bytes);
	expect(value.global.map(({ name, value: said }) => `${name} ${said}`)).toEqual(['train no', 'crawl yes']);
	expect(problems).toMatchObject([{ code: 'robots2-utf-16', severity: 'error', line: 1 }]);
});
