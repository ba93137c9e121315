import { describe, expect, it } from 'vitest';
import { isProductToken, matchRobots, parseRobots, prepareRobots } from './index.ts';

const parse = (text: string) => parseRobots(text).value;

describe('content of a parsed file', () => {
	const text = [
		'# preamble',
		'Sitemap: https://example.com/s.xml',
		'Host: example.com',
		'User-agent: FooBot # ours',
		'  user-agent : BarBot',
		'Crawl-delay: 2.5',
		'Content-Signal: search=yes, ai-train=no',
		'Disallow: /private # not this',
		'Allow:/private/open',
		'',
		'User-agent: *',
		'Disallow: /café',
		'SOM-Endpoint: /som',
	].join('\r\n');
	const file = parse(text);

	it('agents, rules and records with line, column and the line itself', () => {
		const [first, second] = file.groups;
		expect(first!.agents).toEqual([
			{ name: 'FooBot', line: 4, column: 13, text: 'User-agent: FooBot # ours' },
			{ name: 'BarBot', line: 5, column: 16, text: '  user-agent : BarBot' },
		]);
		expect(first!.rules).toEqual([
			{ allow: false, pattern: '/private', line: 8, column: 11, text: 'Disallow: /private # not this' },
			{ allow: true, pattern: '/private/open', line: 9, column: 7, text: 'Allow:/private/open' },
		]);
		expect(first!.records.map(({ seconds, line }) => [seconds, line])).toEqual([
			[2.5, 6],
			[undefined, 7],
		]);
		expect(first!.records.map(({ key, value, group }) => [key, value, group])).toEqual([
			['Crawl-delay', '2.5', 0],
			['Content-Signal', 'search=yes, ai-train=no', 0],
		]);
		expect(second!.rules[0]!.pattern).toBe('/café');
		expect(file.records.map(({ key, group, line }) => [key, group, line])).toEqual([
			['Host', undefined, 3],
			['Crawl-delay', 0, 6],
			['Content-Signal', 0, 7],
			['SOM-Endpoint', 1, 13],
		]);
		expect(file.sitemaps).toEqual([
			{
				key: 'Sitemap',
				value: 'https://example.com/s.xml',
				line: 2,
				column: 10,
				text: 'Sitemap: https://example.com/s.xml',
				seconds: undefined,
				group: undefined,
				agents: [],
			},
		]);
	});

	it('bytes that are not UTF-8 keep their place and their meaning', () => {
		const bytes = Uint8Array.from(
			[...'User-agent: *\nDisallow: /caf'].map((letter) => letter.charCodeAt(0)).concat(0xe9, 10, 0x44),
		);
		const { value, problems } = parseRobots(bytes);
		expect(value.groups[0]!.rules[0]).toMatchObject({
			pattern: '/caf%E9',
			line: 2,
			column: 11,
			text: 'Disallow: /caf\ufffd',
		});
		expect(problems.map(({ code, line }) => [code, line])).toEqual([
			['invalid-utf8', 2],
			['not-a-record', 3],
		]);
		expect(matchRobots(value, 'X', '/caf%E9').allowed).toBe(false);
		expect(matchRobots(value, 'X', '/caf%C3%A9').allowed).toBe(true);
	});

	it('the deciding rule is evidence', () => {
		expect(matchRobots(file, 'foobot', 'https://example.com/private/open')).toEqual({
			allowed: true,
			rule: file.groups[0]!.rules[1],
		});
		expect(matchRobots(file, 'foobot', 'https://example.com/private/x').rule!.text).toBe(
			'Disallow: /private # not this',
		);
		expect(matchRobots(file, 'foobot', 'https://example.com/')).toEqual({ allowed: true });
	});
});

describe('prepareRobots', () => {
	const file = parse(
		'User-agent: AIWebIndex\nCrawl-delay: 3\nDisallow: /a\nUser-agent: OurBot\nCrawl-delay: 7\nContent-Usage: train-ai=n\nDisallow: /b\nUser-agent: *\nDisallow: /',
	);

	it('tells which group was selected, its agents, rules, records and delay', () => {
		const prepared = prepareRobots(file, 'OurBot/1.0');
		expect(prepared).toMatchObject({
			selected: 'specific',
			crawlDelay: 7,
			agents: [{ name: 'OurBot', line: 4 }],
			rules: [{ pattern: '/b' }],
		});
		expect(prepared.records.map(({ key }) => key)).toEqual(['Crawl-delay', 'Content-Usage']);
		expect(prepareRobots(file, 'Else').selected).toBe('*');
		expect(prepareRobots(parse(''), 'Else')).toMatchObject({ selected: 'none', agents: [], rules: [], records: [] });
	});

	it('AMB-17 a group that names the implementation must permit as well', () => {
		const both = prepareRobots(file, ['AIWebIndex', 'OurBot']);
		expect(both.match('/a/1')).toMatchObject({ allowed: false, rule: { line: 3 } });
		expect(both.match('/b/1')).toMatchObject({ allowed: false, rule: { line: 7 } });
		expect(both.match('/c').allowed).toBe(true);
		expect(both.crawlDelay).toBe(7);
		expect(both.agents.map(({ name }) => name)).toEqual(['AIWebIndex', 'OurBot']);
		expect(matchRobots(file, ['AIWebIndex', 'Unnamed'], '/b').allowed).toBe(true);
	});

	it('AMB-17 only the first name may fall back to everybody', () => {
		expect(
			prepareRobots(parse('User-agent: *\nDisallow: /x\nUser-agent: OurBot\nDisallow: /y'), [
				'AIWebIndex',
				'OurBot',
			]).match('/x').allowed,
		).toBe(false);
		expect(prepareRobots(file, []).selected).toBe('*');
	});

	it('names by thousands, as strangers send them, make no thousands of indexes', () => {
		for (const robots of [file, parse(''), parse('User-agent: Other\nDisallow: /')]) {
			const one = prepareRobots(robots, 'Stranger');
			for (let at = 0; at < 1000; at++) expect(prepareRobots(robots, `Stranger/${at}`)).toBe(one);
			expect(prepareRobots(robots, 'Another')).toBe(one);
		}
	});
});

it('a copy of a file, and a frozen one, answer as the file does', () => {
	const file = parse('User-agent: FooBot\nDisallow: /a\nUser-agent: *\nDisallow: /b');
	prepareRobots(file, 'FooBot');
	const other = { ...file, groups: file.groups.slice(1) };
	for (const copy of [file, { ...file }, structuredClone(file), Object.freeze({ ...file })]) {
		expect(matchRobots(copy, 'FooBot', '/a').allowed).toBe(false);
		expect(prepareRobots(copy, 'FooBot')).toBe(prepareRobots(copy, 'FooBot'));
	}
	expect(matchRobots(other, 'FooBot', '/a').allowed).toBe(true);
	expect(Reflect.ownKeys(file)).toEqual(['mode', 'groups', 'sitemaps', 'records', 'truncated']);
});

describe('limits', () => {
	const rule = (at: number) => `Disallow: /pad-${String(at).padStart(8, '0')}\n`;
	const long = `User-agent: *\n${Array.from({ length: 25_000 }, (_, at) => rule(at)).join('')}`;

	it('REP-26 a rule at 499 KiB is obeyed, and reading stops at the limit', () => {
		const at = Math.floor((499 * 1024 - 14) / rule(0).length);
		for (const input of [long, new TextEncoder().encode(long)]) {
			const { value, problems } = parseRobots(input);
			expect(value.truncated).toBe(true);
			expect(problems).toEqual([
				{ code: 'truncated', severity: 'warning', line: 0, column: 0, args: { limit: 512_000 } },
			]);
			const path = `/pad-${String(at).padStart(8, '0')}`;
			expect(matchRobots(value, 'X', path)).toMatchObject({ allowed: false, rule: { line: at + 2 } });
			expect(matchRobots(value, 'X', '/pad-00024999').allowed).toBe(true);
			expect(parseRobots(input, { maxBytes: 1e7 }).value.groups[0]!.rules).toHaveLength(25_000);
		}
	});

	it('REP-26 50 MB are not read further than the limit', () => {
		const { value } = parseRobots(new Uint8Array(50_000_000).fill(0x61));
		expect(value).toMatchObject({ truncated: true, groups: [] });
	});

	it('a line that the limit cuts is left out: half a rule is another rule', () => {
		for (const robots of [
			'User-agent: *\nDisallow: /secret',
			'User-agent: *\nDisallow: /sé',
			'User-agent: *\rDisallow: /secret\n',
		]) {
			const rules = parseRobots(robots, { maxBytes: 26 }).value.groups[0]?.rules ?? [];
			expect(rules).toEqual([]);
		}
		const whole = parseRobots('User-agent: *\nDisallow: /secret\nAllow: /', { maxBytes: 31 });
		expect(whole.value.groups[0]!.rules.map(({ pattern }) => pattern)).toEqual(['/secret']);
	});

	it('google mode reads 16,663 bytes of a line, however many bytes its letters have', () => {
		for (const letter of ['a', 'é', '\u{1f600}']) {
			const room = Math.floor((16_663 - 'Disallow: /'.length) / new TextEncoder().encode(letter).length);
			const path = `/${letter.repeat(room)}`;
			const robots = `User-agent: *\nDisallow: ${path}${letter}x`;
			const url = encodeURI(path);
			expect(matchRobots(parseRobots(robots, { mode: 'google' }).value, 'X', `${url}/y`).allowed).toBe(false);
			expect(matchRobots(parseRobots(robots, { mode: 'default' }).value, 'X', `${url}/y`).allowed).toBe(true);
		}
	});
});

it('REP-02 a product token holds letters, underscore and hyphen only', () => {
	expect(['AIWebIndex', 'foo_Bar-x'].every(isProductToken)).toBe(true);
	expect(['', 'AI2Bot', 'Foo/1', 'a b', 'é', 'x*', '*'].some(isProductToken)).toBe(false);
});

it('a file that is asked for many agents adds each of its names once', () => {
	const file = parse('User-agent: FooBot\nUser-agent: *\nUser-agent: FarBot\nDisallow: /a\n');
	for (const name of ['FooBot', 'FarBot', 'ZooBot', 'FooBot', 'foobot/2.0', '*'])
		expect(prepareRobots(file, name).agents).toHaveLength(1);
});

it('REP-08 an escape after a star is compared in its one form', () => {
	const file = parse('User-agent: *\nDisallow: /*%7euser\nDisallow: /*%0a\nDisallow: /*%C3%A9\n');
	const isAllowed = (path: string) => matchRobots(file, 'FooBot', path).allowed;
	expect(['/x/~user', '/x/%7Euser', '/x%0A', '/x%0a', '/é', '/x%c3%a9'].filter(isAllowed)).toEqual([]);
	expect(['/x/~use', '/x%0B', '/x%C3%A8'].filter(isAllowed)).toHaveLength(3);
});

describe('REP-08 G2-83: the longest rule decides, with and without stars', () => {
	const decides = (rules: readonly string[], path: string) => {
		const lines = [rules, rules.toReversed()].map((each) => parse(`User-agent: *\n${each.join('\n')}\n`));
		const found = lines.map((file) => matchRobots(file, 'FooBot', path));
		expect(found[0]?.rule?.pattern, 'in either order').toBe(found[1]?.rule?.pattern);
		return [found[0]?.allowed, found[0]?.rule?.pattern];
	};

	it.each([
		[['Allow: /a/b', 'Disallow: /a/*/c/long'], '/a/b/c/long', [false, '/a/*/c/long']],
		[['Disallow: /a/b', 'Allow: /a/*/c/long'], '/a/b/c/long', [true, '/a/*/c/long']],
		[['Allow: /a/*', 'Disallow: /a/b/c'], '/a/b/c/long', [false, '/a/b/c']],
		[['Disallow: /*', 'Allow: /a/'], '/a/x', [true, '/a/']],
		[['Disallow: /*.pdf$', 'Allow: /docs/free'], '/docs/free.pdf', [true, '/docs/free']],
		[['Disallow: /***********', 'Allow: /docs/free'], '/docs/free.pdf', [false, '/***********']],
		[['Disallow: /x*y', 'Allow: /xay'], '/xay', [true, '/xay']],
	] as const)('REP-08 G2-83: %j for %s', (rules, path, expected) => {
		expect(decides(rules, path)).toEqual(expected);
	});
});

it('reads a text below the limit as it is, whatever its length', () => {
	const read = (length: number) => parseRobots(`User-agent: *\nDisallow: /\ufffdx\n#${' '.repeat(length)}`);
	expect(read(200_000)).toEqual(read(0));
});
