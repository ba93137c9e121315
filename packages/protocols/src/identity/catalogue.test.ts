import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentIndex, findAgent, findAgentByToken, isCommonToken, knownAgents } from './index.ts';

describe('the catalogue of known agents', () => {
	it('names every agent once, with a source', () => {
		const names = knownAgents.map(({ token, name = token }) => name.toLowerCase());
		expect(new Set(names).size).toBe(names.length);
		for (const { source = '' } of knownAgents) expect(new URL(source).protocol).toBe('https:');
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

describe('names in a User-Agent', () => {
	const named = (userAgent: string) => findAgent(userAgent)?.token;

	it.each([
		['Baiduspider-render/2.0', 'Baiduspider'],
		['DuckDuckBot-Https/1.1; (+https://duckduckgo.com/duckduckbot)', 'DuckDuckBot'],
		['SemrushBot-SA', 'SemrushBot'],
		['AdsBot-Google-Mobile-Apps', 'AdsBot-Google-Mobile'],
		['Mozilla/5.0 (compatible; Baiduspider_image/1.0)', 'Baiduspider'],
		['Googlebot-Image/1.0', 'Googlebot-Image'],
		['Googlebot-Anything-Else/1.0', 'Googlebot'],
		['AI2Bot-Dolma', 'AI2Bot-Dolma'],
	])('G2-39: %s is of the family %s', (userAgent, token) => expect(named(userAgent)).toBe(token));

	it.each(['GPTBot-Fake/1', 'CCBot_x', 'Baiduspiders/1', 'xBaiduspider-render', 'SemrushBot.SA'])(
		'G2-39: %s is of no family: its operator appends no suffix, or none is there',
		(userAgent) => expect(named(userAgent)).toBeUndefined(),
	);

	it.each([
		'"GPTBot/1.0"',
		"'GPTBot/1.0'",
		'[GPTBot/1.0]',
		'{GPTBot}',
		'<GPTBot/1.0>',
		'\u201cGPTBot/1.0\u201d',
		'\u00abGPTBot\u00bb',
		'Mozilla/5.0+(compatible;+GPTBot/1.2;++https://openai.com/gptbot)',
		'GPTBot/1.2+https://openai.com/gptbot',
		'Mozilla%2F5.0+%28compatible%3B+GPTBot%2F1.2%29',
		'Mozilla%2F5.0%20(compatible%3B%20GPTBot%2F1.2)'.replace(/[()]/g, (each) => (each === '(' ? '%28' : '%29')),
		'User-Agent:GPTBot/1.2',
		'*GPTBot*',
		'GPTBot.',
		'--GPTBot--',
		'GPTBot|1.0',
	])('G2-40: %s is GPTBot', (userAgent) => expect(named(userAgent)).toBe('GPTBot'));

	it.each([
		'NotGPTBotter/1',
		'MySpider/1',
		'Mozilla/5.0 (see https://example.com/GPTBot)',
		'Mozilla/5.0 (https://example.com/a+GPTBot)',
		'Mozilla/5.0 (+https://GPTBot)',
		'Mozilla/5.0 (www.example.com/GPTBot)',
		'Mozilla/5.0 (example.com/GPTBot)',
		'Mozilla/5.0 (GPTBot@example.com; mailto:GPTBot@example.com)',
		'Tool/1.0 GPTBotter',
		'\u00e9GPTBot/1',
		'Other/GPTBot',
		'Kangaroo/1.0 (Bot)',
		'Kangaroo; Bot',
		'Mozilla/5.0 (Linux; Android 14; Kangaroo) Bot/1',
	])('G2-40 guard: %s is nobody', (userAgent) => expect(named(userAgent)).toBeUndefined());

	it.each([
		['Kangaroo Bot/1.0', 'Kangaroo Bot', '1.0'],
		['Mozilla/5.0+(compatible;+kangaroo+bot)', 'Kangaroo Bot', undefined],
		['Mozilla/5.0 (compatible; Sidetrade indexer bot/2)', 'Sidetrade indexer bot', '2'],
		['netEstate Imprint Crawler (+http://www.netestate.de/)', 'netEstate Imprint Crawler', undefined],
	])('%s is found by its name of several words', (userAgent, name, version) => {
		expect(new AgentIndex(knownAgents).findIn(userAgent)).toEqual([
			{ agent: expect.objectContaining({ name }), ...(version !== undefined && { version }) },
		]);
	});

	it('a name of several words stands in robots.txt as the part that readers take', () => {
		expect(findAgentByToken('Kangaroo Bot')?.token).toBe('Kangaroo');
		expect(findAgentByToken('kangaroo')?.name).toBe('Kangaroo Bot');
	});

	it('words that browsers and everybody use name nobody', () => {
		for (const word of ['Mozilla', 'chrome', 'bot', 'X', '5.0', 'Spider']) expect(isCommonToken(word)).toBe(true);
		for (const word of ['GPTBot', 'curl', 'OrchardBot', '360Spider']) expect(isCommonToken(word)).toBe(false);
		for (const { token, name } of knownAgents) if (name === undefined) expect(isCommonToken(token), token).toBe(false);
	});

	it('costs as much as the header is long, whatever stands in it', () => {
		const index = new AgentIndex(knownAgents);
		for (const part of ['+', 'a/', 'https://', '-', '_', 'Kangaroo ', 'GPTBot;', '%2F', '"', '.', 'www.'])
			expect(index.findIn(part.repeat(2000)).length).toBeGreaterThanOrEqual(0);
	});
});
