import { describe, expect, it } from 'vitest';
import { formatRobots, parseRobots, type RobotsMode } from './index.ts';

const format = (robots: string | Uint8Array, mode: RobotsMode = 'default') =>
	formatRobots(parseRobots(robots, { mode }).value);

describe('formatRobots', () => {
	it('writes one plain form', () => {
		const robots =
			'\ufeffsitemap:https://a.test/s.xml\r\nUSER-AGENT :Foo#x\r\n\r\nuser agent: Bar\r\nCRAWL-DELAY: 3\r\nDisalow:/x \r\nallow: /y # z\r\njunk\r\nuser-agent:*\r\ndisallow:';
		expect(format(robots)).toBe(
			'User-agent: Foo\nUser-agent: Bar\nCRAWL-DELAY: 3\nDisallow: /x\nAllow: /y\n\nUser-agent: *\nDisallow:\n\nSitemap: https://a.test/s.xml\n',
		);
	});

	it('leaves a record with the agents that it was written for', () => {
		const robots = 'User-agent: A\nUser-agent: B\nCrawl-delay: 1\nUser-agent: C\nDisallow: /x\nCrawl-delay: 2\n';
		expect(format(robots)).toBe(
			'User-agent: A\nUser-agent: B\nCrawl-delay: 1\nUser-agent: C\nCrawl-delay: 2\nDisallow: /x\n',
		);
	});

	it('keeps an agent line that names nobody, since it ends the group before it', () => {
		const robots = 'User-agent: A\nDisallow: /x\n\nUser-agent:\nDisallow: /y\n';
		expect(format(robots)).toBe(robots);
	});

	it('writes bytes that are not UTF-8 as escapes', () => {
		expect(format(Uint8Array.from([...new TextEncoder().encode('User-agent: *\nDisallow: /'), 0xe9]))).toBe(
			'User-agent: *\nDisallow: /%E9\n',
		);
	});

	it('does not begin with a byte order mark of its own making', () => {
		const written = format('\ufeff\ufeffUser-agent: *\nDisallow: /x');
		expect(parseRobots(written).value.groups).toEqual([]);
	});

	it('an empty file stays empty', () => {
		expect(format('')).toBe('');
	});
});
