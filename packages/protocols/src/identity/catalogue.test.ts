import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentCategories, findAgent, findAgentByToken, knownAgents } from './index.ts';

describe('the catalogue of known agents', () => {
	it('names every token once, with a source, and a category that robots2.txt knows', () => {
		const tokens = knownAgents.map(({ token }) => token.toLowerCase());
		expect(new Set(tokens).size).toBe(tokens.length);
		for (const { token, category, source, ranges, reverseDns = [] } of knownAgents) {
			expect(token).toMatch(/^[A-Za-z][\w.-]*$/);
			expect([...agentCategories, undefined]).toContain(category);
			for (const url of ranges === undefined ? [source] : [source, ranges])
				expect(new URL(url).protocol).toBe('https:');
			for (const suffix of reverseDns) expect(suffix).toMatch(/^(\.[a-z0-9-]+){2,}$/);
		}
	});

	it('signals carry nothing by which a request could be verified', () => {
		const signals = knownAgents.filter(({ signalOnly }) => signalOnly);
		expect(signals.map(({ token }) => token)).toEqual(expect.arrayContaining(['Google-Extended', 'Applebot-Extended']));
		for (const { ranges, reverseDns } of signals) expect([ranges, reverseDns]).toEqual([undefined, undefined]);
	});
});

describe('findAgent', () => {
	it.each([
		[
			'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot',
			'GPTBot',
		],
		[
			'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
			'ClaudeBot',
		],
		['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot'],
		['Googlebot-Image/1.0', 'Googlebot-Image'],
		['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bingbot'],
		[
			'Mozilla/5.0 (Macintosh) AppleWebKit/600.2.5 (KHTML, like Gecko) Safari/600.2.5 (Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)',
			'Amazonbot',
		],
		['CCBot/2.0 (https://commoncrawl.org/faq/)', 'CCBot'],
		['Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)', 'archive.org_bot'],
		['gptbot', 'GPTBot'],
	])('%s is %s', (userAgent, token) => {
		expect(findAgent(userAgent)?.token).toBe(token);
	});

	it.each([
		'',
		'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
		'OtherBot/1.0 (+https://openai.com/gptbot)',
		'NotGPTBot/1.0',
		'GPTBotty/1.0',
		'Google-Extended',
		'AIWebIndex/2.0 (+https://example.com/bot; Wayleave)',
	])('%j is no known agent', (userAgent) => {
		expect(findAgent(userAgent)).toBeUndefined();
	});

	it('finds signals by their token, and throws on nothing', () => {
		expect(findAgentByToken('google-extended')).toMatchObject({ operator: 'Google', signalOnly: true });
		expect(findAgentByToken('constructor')).toBeUndefined();
		fc.assert(fc.property(fc.string(), (text) => void findAgent(text)));
	});
});
