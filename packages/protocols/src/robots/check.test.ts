import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkRobots, matchRobots, parseRobots, type RobotsCode, type RobotsMode } from './index.ts';
import { robotsProblems } from './problems.ts';

/** `code line:column`, and the arguments that matter. */
const found = (robots: string | Uint8Array, mode: RobotsMode = 'default') =>
	checkRobots(robots, { mode }).map(({ code, line, column }) => `${code} ${line}:${column}`);
const args = (robots: string, code: RobotsCode) => checkRobots(robots).find((problem) => problem.code === code)?.args;

const head = 'User-agent: *\n';
const bytes = (...parts: (string | number)[]) =>
	Uint8Array.from(
		parts.flatMap((part) => (typeof part === 'number' ? [part] : [...part].map((letter) => letter.charCodeAt(0)))),
	);

/** One smallest file for each code, with all that is said about it. */
const examples: Record<RobotsCode, [robots: string | Uint8Array, problems: string[]]> = {
	'absolute-url-in-rule': [`${head}Disallow: https://example.com/x`, ['absolute-url-in-rule 2:11']],
	'agent-begins-with-digit': ['User-agent: 360Spider\nDisallow: /', ['agent-begins-with-digit 1:13']],
	'agent-version': ['User-agent: FooBot/2.0\nDisallow: /', ['agent-version 1:13']],
	'bare-address': [`${head}Disallow: /x\nhttps://a.test/s.xml`, ['bare-address 3:1']],
	'browser-user-agent': ['User-agent: Mozilla/4.0 (compatible; MSIE 6.0)\nDisallow: /', ['browser-user-agent 1:13']],
	'disallow-commented-out': [`${head}Disallow: # /x`, ['disallow-commented-out 2:11']],
	'index-page-opens-folder': [`${head}Disallow: /x/\nAllow: /x/index.html`, ['index-page-opens-folder 3:8']],
	'licence-not-absolute': [`${head}Disallow:\nLicense: /terms.xml`, ['licence-not-absolute 3:10']],
	'long-crawl-delay': [`${head}Crawl-delay: 3600\nDisallow:`, ['long-crawl-delay 2:14']],
	'lost-line-break': [`${head}Disallow: / User-agent: B`, ['lost-line-break 2:11']],
	'no-agent': ['User-agent: "CargoBot"\nDisallow: /', ['no-agent 1:13']],
	'robots2-directive': [`${head}train: no`, ['robots2-directive 2:1']],
	'site-closed': [`${head}Disallow: *`, ['site-closed 2:11']],
	'sitemap-list': ['Sitemap: https://a.test/a.xml, https://a.test/b.xml', ['sitemap-list 1:10']],
	'text-after-star': ['User-agent: * all\nDisallow: /x', ['text-after-star 1:13']],
	'unsupported-directive': [`${head}Noindex: /x\nDisallow:`, ['unsupported-directive 2:1']],
	'white-space-in-path': [`${head}Disallow: /a b`, ['white-space-in-path 2:11']],
	'lint-group-frees': [`${head}Disallow: /x\n\nUser-agent: B\nCrawl-delay: 2`, ['lint-group-frees 4:13']],
	'lint-group-drops-signal': [
		`${head}Content-Signal: ai-train=no\nDisallow:\n\nUser-agent: B\nDisallow: /x`,
		['lint-group-drops-signal 5:13'],
	],
	'lint-names-beside-star': ['User-agent: B\nUser-agent: *\nDisallow: /', ['lint-names-beside-star 2:13']],
	'agent-cut': ['User-agent: AI2Bot\nDisallow: /', ['agent-cut 1:13']],
	'agent-list-split-by-crawl-delay': [
		'User-agent: A\nCrawl-delay: 1\nUser-agent: B\nDisallow: /',
		['agent-list-split-by-crawl-delay 2:1'],
	],
	'agent-list-split-by-record': [
		'User-agent: A\nContent-Signal: search=yes\nUser-agent: B\nDisallow: /',
		['agent-list-split-by-record 2:1'],
	],
	'agent-list': ['User-agent: CargoBot, DredgeBot/1.0\nDisallow: /', ['agent-list 1:13']],
	'whole-site-overruled': [`${head}Disallow: /\nAllow: /*\n`, ['whole-site-overruled 2:11']],
	'agent-repeated': ['User-agent: Code\nUser-agent: code\nDisallow: /', ['agent-repeated 2:13']],
	'allow-and-disallow': [`${head}Disallow: /x\nAllow: /x`, ['allow-and-disallow 3:8']],
	'bad-crawl-delay': [`${head}Crawl-delay: soon`, ['bad-crawl-delay 2:14']],
	'byte-order-mark': [`\ufeff${head}Disallow: /`, ['byte-order-mark 1:1']],
	'dollar-inside-pattern': [`${head}Disallow: /a$b`, ['dollar-inside-pattern 2:13']],
	'empty-agent': ['User-agent:\nDisallow: /', ['empty-agent 1:12']],
	'full-ua-string': ['User-agent: Mozilla/5.0 (compatible; Butterfly/1.0)\nDisallow: /', ['full-ua-string 1:13']],
	'group-repeated': [`${head}Content-Signal: search=yes\nAllow: /\n\n${head}Disallow: /x`, ['group-repeated 5:13']],
	'hash-in-value': [`${head}Disallow: /x#y`, ['hash-in-value 2:13']],
	'html-instead-of-robots': ['\n<!DOCTYPE html>\n<p>\nKey: value\nDisallow: x', ['html-instead-of-robots 2:1']],
	'invalid-percent': [`${head}Disallow: /100%`, ['invalid-percent 2:15']],
	'invalid-utf8': [bytes(head, 'Disallow: /caf', 0xe9), ['invalid-utf8 2:1']],
	'key-prefix': [`${head}DisallowAITraining: /`, ['key-prefix 2:1']],
	'line-too-long': [`${head}Disallow: /${'x'.repeat(17_000)}`, ['line-too-long 2:1']],
	'misspelt-key': [`${head}Disalow: /x\nDesallow: /y`, ['misspelt-key 2:1', 'misspelt-key 3:1']],
	'missing-colon': [`${head}Disallow /x`, ['missing-colon 2:1']],
	'not-a-record': [`${head}what is this`, ['not-a-record 2:1']],
	'nul-byte': [`${head}Disallow: /x\0y`, ['nul-byte 2:13']],
	'partial-byte-order-mark': [
		bytes(0xef, 0xbb, `\n${head}Disallow: /`),
		['partial-byte-order-mark 1:1', 'invalid-utf8 1:1', 'not-a-record 1:1'],
	],
	'pattern-without-slash': [`${head}Disallow: private`, ['pattern-without-slash 2:11']],
	'record-outside-group': ['Crawl-delay: 1', ['record-outside-group 1:1']],
	'rule-outside-group': ['Disallow: /', ['rule-outside-group 1:1']],
	'rule-repeated': [`${head}Disallow: /x\nDisallow: /x`, ['rule-repeated 3:11']],
	'sitemap-not-absolute': ['Sitemap: /sitemap.xml', ['sitemap-not-absolute 1:10']],
	'star-in-agent': ['User-agent: test*\nDisallow: /', ['star-in-agent 1:13']],
	truncated: [`${head}${'#'.repeat(512_000)}`, ['truncated 0:0']],
	'unknown-key': ['Flavour: vanilla', ['unknown-key 1:1']],
	'invisible-character': [`${head}Disallow: /a\u200b`, ['invisible-character 2:11']],
	'robots-omitted': [
		`${head}${'x y z\n'.repeat(1002)}`,
		[...Array.from({ length: 1000 }, (_, at) => `not-a-record ${at + 2}:1`), 'robots-omitted 0:0'],
	],
	'utf-16': [bytes(0xff, 0xfe, 'U', 0, 's', 0), ['utf-16 1:1', 'not-a-record 1:1']],
};

describe('every problem code', () => {
	for (const [code, [robots, problems]] of Object.entries(examples)) {
		it(`${code}: found where it is, with its severity`, () => {
			expect(found(robots).sort()).toEqual(problems.toSorted());
			const own = checkRobots(robots).find((problem) => problem.code === code)!;
			expect(own.severity).toBe(robotsProblems[code as RobotsCode].severity);
		});

		it(`${code}: has a page, and its sentence uses no argument that is not given`, () => {
			expect(existsSync(new URL(`../../../../docs/problems/${code}.md`, import.meta.url))).toBe(true);
			const own = checkRobots(robots).find((problem) => problem.code === code)!;
			const names = [...robotsProblems[code as RobotsCode].sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
			expect(Object.keys(own.args)).toEqual(expect.arrayContaining(names));
		});
	}

	it('nothing is said about an ordinary file', () => {
		const robots = [
			'# welcome',
			'User-agent: GPTBot # training',
			'User-agent: CCBot',
			'Disallow: /',
			'',
			'User-agent: *',
			'Crawl-delay: 0.5',
			'Content-Signal: search=yes, ai-train=no',
			'Allow: /a/*.html$',
			'Disallow: /a/ # all else',
			'Disallow: *.pdf$',
			'Disallow:',
			'SOM-Endpoint: /som',
			'Sitemap: https://example.com/sitemap.xml',
		].join('\n');
		expect(found(robots)).toEqual([]);
	});
});

it('a web page gives no records, yet rules in it count (RFC 9309 §2.3.1.5)', () => {
	const { value } = parseRobots('<html>\ncolor: red\nUser-agent: *\nDisallow: /x');
	expect(value.records).toEqual([]);
	expect(value.groups[0]!.rules).toHaveLength(1);
});

describe('the cases that hurt sites', () => {
	it('XB-11 the owner is shown the token that was meant', () => {
		expect(
			args('User-agent: Mozilla/5.0 (compatible; Butterfly/1.0; +http://b.test/) Gecko\nDisallow: /', 'full-ua-string'),
		).toEqual({ advice: '"Butterfly"' });
		expect(args('User-agent: Express WebPictures (www.a.test)\nDisallow: /', 'full-ua-string')).toEqual({
			advice: 'of the crawler alone',
		});
	});

	it('AI2Bot is cut to AI; the version of FooBot/2.0 and the star of test* are ignored', () => {
		expect(args('User-agent: AI2Bot', 'agent-cut')).toEqual({ name: 'AI2Bot', token: 'AI' });
		expect(args('User-agent: FooBot/2.0', 'agent-version')).toEqual({ name: 'FooBot/2.0', token: 'FooBot' });
		expect(args('User-agent: test*', 'star-in-agent')).toEqual({ token: 'test' });
	});

	it('rules for the whole site: the longer one decides', () => {
		const found = (rules: string) =>
			checkRobots(`User-agent: *\n${rules}\n`).flatMap(({ code, line }) =>
				/whole|opposite|allow-and/.test(code) ? [`${code} ${line}`] : [],
			);
		expect(found('Allow: /\nDisallow: /*')).toEqual(['whole-site-overruled 2']);
		expect(found('Disallow: /\nAllow: /**')).toEqual(['whole-site-overruled 2']);
		expect(found('Disallow: /\nAllow: /')).toEqual(['allow-and-disallow 3']);
		expect(found('Disallow: /\nAllow: /$')).toEqual([]);
		expect(found('Disallow: /\nDisallow: /*')).toEqual([]);
	});

	it('an invisible blank in a name is reported, and a star beside one still speaks for all', () => {
		for (const name of ['\u00a0*', '*\u200b', '\ufeff*', '* \u3000']) {
			const text = `User-agent: ${name}\nDisallow: /berths\n`;
			expect(
				checkRobots(text).map(({ code }) => code),
				JSON.stringify(name),
			).toEqual(['invisible-character']);
			expect(matchRobots(parseRobots(text).value, 'QuayReader', '/berths/7').allowed).toBe(false);
			expect(matchRobots(parseRobots(text, { mode: 'rfc9309' }).value, 'QuayReader', '/berths/7').allowed).toBe(true);
		}
		const named = 'User-agent: Cargo\u200bBot\nDisallow: /\n';
		expect(checkRobots(named).map(({ code, args }) => [code, args.code])).toEqual([['invisible-character', 'U+200B']]);
		expect(matchRobots(parseRobots(named).value, 'QuayReader', '/berths/7').allowed).toBe(true);
	});

	it('one line with several names, and what only looks like it', () => {
		const found = (name: string) => checkRobots(`User-agent: ${name}\nDisallow: /\n`).map(({ code }) => code);
		for (const name of ['CargoBot,DredgeBot', 'CargoBot; DredgeBot', 'CargoBot | *', 'A/1.0, B/2.0, C'])
			expect(found(name), name).toEqual(['agent-list']);
		expect(found('FrontPage [NC,OR]')).toEqual(['agent-cut']);
		expect(found('Yahoo! Slurp')).toEqual(['agent-cut']);
	});

	it('a directive that nothing reads is reported once', () => {
		const found = checkRobots('User-agent: *\nDisallow:\nNofollow: /x\nNoarchive: /y\nACAP-x: 1\n');
		expect(found.map(({ code, line }) => `${code} ${line}`)).toEqual([
			'unsupported-directive 3',
			'unsupported-directive 4',
			'unknown-key 5',
		]);
	});

	it('a rate and times of day that crawlers do not keep are reported, with what they keep', () => {
		const found = checkRobots('User-agent: *\nDisallow:\nRequest-rate: 1/5\nVisit-time: 0600-0845\n');
		expect(found.map(({ code, line, args }) => [code, line, args.instead])).toEqual([
			['unsupported-directive', 3, 'Crawl-delay'],
			['unsupported-directive', 4, 'rate limits'],
		]);
	});

	it('a license behind a path is a lost line', () => {
		expect(checkRobots('User-agent: *\nDisallow: /x License: https://a.test/l.xml\n')).toMatchObject([
			{ code: 'lost-line-break', line: 2 },
		]);
	});

	it('advises no token that it would reject', () => {
		for (const header of ['larbin_2.6.2 (a@b.test)', 'A6-Indexer/1.0 (http://a.test/)', 'Lycos_Spider_(T-Rex)']) {
			const { advice = '' } = args(`User-agent: ${header}\nDisallow: /`, 'full-ua-string') ?? {};
			const token = /"(.*)"/.exec(String(advice))?.[1];
			if (token === undefined) expect(advice).toBe('of the crawler alone');
			else expect(checkRobots(`User-agent: ${token}\nDisallow: /`)).toEqual([]);
		}
	});

	it('a group that is said twice is a remark, unless it says something else', () => {
		const codes = (text: string) => checkRobots(text).map(({ code, line }) => `${code} ${line}`);
		const group = (name: string, path = '/') => `User-agent: ${name}\nDisallow: ${path}\n\n`;
		expect(codes(group('CargoBot') + group('cargobot'))).toEqual(['agent-repeated 4']);
		expect(codes(group('CargoBot') + group('CargoBot', '/x'))).toEqual(['group-repeated 4']);
		expect(codes(group('Cargo Lift 1') + group('Cargo Lift 2'))).toEqual(['agent-cut 1', 'agent-cut 4']);
	});

	it('words of browsers and addresses name no agent', () => {
		const found = (name: string) => checkRobots(`User-agent: ${name}\nDisallow: /\n`).map(({ code }) => code);
		expect(found('Mozilla/4.0')).toEqual(['browser-user-agent']);
		expect(found('Firefox/7.0')).toEqual(['browser-user-agent']);
		expect(found('http://www.crawler.test/')).toEqual(['no-agent']);
		expect(found('www.crawler.test/Crawler')).toEqual(['no-agent']);
		expect(found('https://crawler.test bot')).toEqual(['no-agent']);
	});

	it('XB-29 every misspelling is reported with the key that was meant', () => {
		const { problems } = parseRobots(
			'User-agent: *\nDisalow: /p1\nDissallow: /p2\nDisallaw: /p3\nDesallow: /p4\nUseragent: X\nSite-map: https://a.test/s.xml\nCrawldelay: 1',
		);
		expect(problems.map(({ code, args }) => [code, args.key, args.meant])).toEqual([
			['misspelt-key', 'Disalow', 'disallow'],
			['misspelt-key', 'Dissallow', 'disallow'],
			['misspelt-key', 'Disallaw', 'disallow'],
			['misspelt-key', 'Desallow', 'disallow'],
			['misspelt-key', 'Useragent', 'user-agent'],
			['misspelt-key', 'Site-map', 'sitemap'],
			['misspelt-key', 'Crawldelay', 'crawl-delay'],
		]);
	});

	it('XB-08 XB-22 XB-24 XB-27 XB-34 XB-35 get the warning they ask for', () => {
		expect(found('user-agent: *\ndisallow: http://other.test/\ndisallow: https://ms.a.test/')).toEqual([
			'absolute-url-in-rule 2:11',
			'absolute-url-in-rule 3:11',
		]);
		expect(
			found(
				'User-agent: *\nDisallow: /info/*\nUser-agent: AhrefsBot\nCrawl-delay: 10\n# note\nUser-agent: deepcrawl\nDisallow: /',
			),
		).toEqual(['agent-list-split-by-crawl-delay 4:1']);
		expect(found('Crawl-delay: 1\n\nUser-agent: *\nDisallow: /*.aspx')).toEqual(['record-outside-group 1:1']);
		expect(found('User-agent *\nDisallow /x')).toEqual(['missing-colon 1:1', 'missing-colon 2:1']);
		expect(found('User-agent: SemrushBot*\nCrawl-delay: 10\n\nUser-agent: Bingbot\nDisallow: /no')).toEqual([
			'star-in-agent 1:13',
			'agent-list-split-by-crawl-delay 2:1',
		]);
	});

	it('a delay is read as far as it can be, and what could not be read is said', () => {
		const delays = (value: string) =>
			parseRobots(`User-agent: *\nCrawl-delay: ${value}`).value.groups[0]!.records.map(({ seconds }) => seconds);
		expect(['10', '0.5', '.5', '1,5', '10s', '-1', 'x', ''].map(delays)).toEqual([
			[10],
			[0.5],
			[0.5],
			[1.5],
			[10],
			[undefined],
			[undefined],
			[undefined],
		]);
		expect(['10', '0.5', '.5'].flatMap((value) => found(`User-agent: *\nCrawl-delay: ${value}`))).toEqual([]);
		expect(['1,5', '10s', '-1', ''].flatMap((value) => found(`User-agent: *\nCrawl-delay: ${value}`))).toHaveLength(4);
	});

	it('a mode reports what it does not read itself', () => {
		expect(found('User-agent: *\nDisallow /x', 'rfc9309')).toEqual(['missing-colon 2:1']);
		expect(found('User-agent: *\nAllow /x', 'default')).toEqual(['missing-colon 2:1']);
		expect(found('User-agent: *\nDisallowed: /x', 'google')).toEqual(['key-prefix 2:1']);
		expect(found('User-agent: *\ntwo words', 'google')).toEqual(['not-a-record 2:1']);
	});

	it('columns count letters, not bytes', () => {
		expect(found('User-agent: *\nDisallow: /é$x')).toEqual(['dollar-inside-pattern 2:13']);
	});
});
