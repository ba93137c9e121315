import { describe, expect, it } from 'vitest';
import { parseRobots } from '../robots/index.ts';
import { type CheckRobots2Options, checkRobots2 } from './index.ts';

const check = (text: string, options: CheckRobots2Options = {}) =>
	checkRobots2(text, options).map(({ code, severity, line }) => `${line} ${severity} ${code}`);

describe('checkRobots2', () => {
	it('finds a directive that was meant to be global', () => {
		expect(check('[agent: monitoring]\n\ncrawl: yes\nread: no\n\ntrain: no\nquote: yes')).toEqual([
			'6 warning robots2-directive-after-section',
		]);
		expect(check('[agent: monitoring]\nread: no\nhonest: yes')).toEqual(['3 warning robots2-directive-after-section']);
		expect(check('[agent: monitoring]\nread: no\n# why\nstore: no\n\nreport-to: a@b.test')).toEqual([]);
	});
	it('R2-52 finds ask without an endpoint', () => {
		const text = 'train: ask\n[agent: monitoring]\nread: ask';
		expect(check(text, { askEndpoint: true })).toEqual([]);
		expect(check(text, { askEndpoint: false })).toEqual([
			'1 error robots2-ask-without-endpoint',
			'3 error robots2-ask-without-endpoint',
		]);
		expect(check('train: ask')).toEqual(['1 info robots2-ask-without-endpoint']);
	});
	it('AMB-52 finds compete: no without a market', () => {
		expect(check('compete: no')).toEqual(['1 info robots2-compete-without-market']);
		expect(check('compete: no\nmarket: news')).toEqual([]);
	});
	it.each(['trian', 'trai', 'traiin', 'tr4in', 'link_back', 'linkback', 'report_to'])('suggests for %s', (name) => {
		const [problem] = checkRobots2(`${name}: no`);
		expect(problem).toMatchObject({ code: 'robots2-misspelt-directive', args: { name } });
	});
	it('suggests nothing for what is far from any directive', () => {
		expect(check('age-rating: 12')).toEqual(['1 warning robots2-unknown-directive']);
	});
	it('finds contradictions with robots.txt, one for each rule and agent', () => {
		const robots = parseRobots('User-agent: *\nDisallow: /a\nAllow: /b\n\nUser-agent: GPTBot\nAllow: /').value;
		const text =
			'User-agent: *\nAllow: /a*/x$\nDisallow: /b\nDisallow: /c\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /';
		expect(checkRobots2(text, { robots })).toMatchObject([
			{ line: 2, args: { robots: 'disallows', robots2: 'allows', path: '/ax/x', agent: '*' } },
			{ line: 3, args: { robots: 'allows', robots2: 'disallows', path: '/b', agent: '*' } },
			{ line: 8, args: { robots: 'allows', robots2: 'disallows', agent: 'GPTBot' } },
		]);
	});
	it('reports the path lines as a reader of robots.txt sees them', () => {
		expect(check('Disallow: /x\nUser-agent: *\nDisalow: /y\nnonsense')).toEqual([
			'1 warning rule-outside-group',
			'3 warning misspelt-key',
			'4 warning not-a-record',
		]);
	});
});
