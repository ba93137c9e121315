import { describe, expect, it } from 'vitest';
import { parseRobots } from '../robots/index.ts';
import { parseRobots2 } from '../robots2/index.ts';
import { type Agent, decide, type Policies } from './index.ts';

const agent: Agent = { token: 'AIWebIndex', name: 'Tester', categories: ['ai-assistant'] };
const site = (robots: string, robots2: string): Policies => ({
	robots: { source: 'https://a.test/robots.txt', file: parseRobots(robots).value },
	robots2: { files: [{ source: 'https://a.test/robots2.txt', file: parseRobots2(robots2).value }] },
});

describe('decide', () => {
	it('R2-05 an Allow in robots2.txt lifts no Disallow of robots.txt', () => {
		const policies = site('User-agent: *\nDisallow: /x', 'User-agent: *\nAllow: /\ncrawl: yes');
		const verdict = decide(policies, agent, 'crawl', 'https://a.test/x/1');
		expect(verdict).toMatchObject({
			effect: 'deny',
			permitted: false,
			because: [{ source: 'https://a.test/robots.txt', line: 2, text: 'Disallow: /x', mechanism: 'robots' }],
		});
	});
});
