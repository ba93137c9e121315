import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

/** Runs lint in a new folder that holds the given files; it asks the server of the test without a pause. */
async function lint(files: Readonly<Record<string, string | object>>, ...argv: string[]) {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-lint-'));
	for (const [name, content] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, name)), { recursive: true });
		writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
	}
	const terminal = recordingTerminal(folder, { WAYLEAVE_DELAY: '0' });
	const exitCode = await run(['lint', ...(argv.length > 0 ? argv : Object.keys(files))], terminal, commands);
	const lines = terminal.stdout().split('\n').slice(0, -1);
	return { exitCode, lines, stdout: terminal.stdout(), stderr: terminal.stderr(), folder };
}

/** `line severity code` of each problem. */
const short = (lines: readonly string[]) =>
	lines.map((line) => line.replace(/^[^:]*:(\d+):\d+ (\w+) (\S+) .*$/, '$1 $2 $3'));

describe('mistakes that hurt sites in practice', () => {
	const robots = (text: string) => lint({ 'robots.txt': text }).then(({ lines }) => short(lines));
	const robots2 = (text: string) => lint({ 'robots2.txt': text }).then(({ lines }) => short(lines));

	it('a product token that nobody matches', async () => {
		expect(await robots('User-agent: AI2Bot\nDisallow: /\n')).toEqual(['1 warning agent-cut']);
	});

	it('a new directive that Google takes for Disallow', async () => {
		expect(await robots('User-agent: *\nDisallowAITraining: /\n')).toEqual(['2 warning key-prefix']);
	});

	it('a byte order mark', async () => {
		expect(await robots('\ufeffUser-agent: *\nDisallow: /x\n')).toEqual(['1 info byte-order-mark']);
	});

	it('a group split by what a CDN put before the file', async () => {
		const text = 'User-agent: *\nContent-Signal: search=yes\nAllow: /\n\nUser-agent: *\nDisallow: /x\n';
		expect(await robots(text)).toEqual(['5 warning group-repeated']);
	});

	it.each(['Train-AI=n', 'train-ai=n,', 'train-ai = n'])('an opt-out that is void: %s', async (value) => {
		expect(await robots(`User-agent: *\nAllow: /\nContent-Usage: ${value}\n`)).toEqual([
			'3 error content-usage-unparsable',
		]);
	});

	it('XB-47 a signal above the first group, told once', async () => {
		const text = 'Content-Signal: ai-train=no\nUser-agent: *\nAllow: /\n';
		expect(await robots(text)).toEqual(['1 warning signal-outside-group']);
	});

	it('vocabularies of one file that disagree', async () => {
		const text = 'User-agent: *\nAllow: /\nContent-Signal: ai-train=yes\nContent-Usage: train-ai=n\n';
		const { lines } = await lint({ 'robots.txt': text });
		expect(lines).toEqual([
			'robots.txt:4:16 warning lint-vocabularies-disagree train: this line forbids it, but robots.txt:3 allows it (Content-Signal: ai-train=yes); the stricter one applies',
		]);
	});

	it('vocabularies that disagree for one agent or one category only', async () => {
		const text =
			'User-agent: *\nAllow: /\n\nUser-agent: ExampleBot\nContent-Signal: ai-train=yes\nContent-Usage: train-ai=n\n';
		expect(await robots(text)).toEqual(['6 warning lint-vocabularies-disagree']);
		const files = {
			'robots.txt': 'User-agent: *\nAllow: /\nContent-Signal: ai-train=yes\n',
			'robots2.txt': 'train: yes\n\n[agent: data-harvester]\ntrain: no\n',
		};
		expect(short((await lint(files)).lines)).toEqual(['4 warning lint-vocabularies-disagree']);
	});

	it('SOM directives without an endpoint', async () => {
		expect(await robots('User-agent: *\nAllow: /\nSOM-Format: markdown\n')).toEqual(['3 warning som-endpoint-missing']);
	});

	it('a directive after a section header that was meant for everybody', async () => {
		const text = 'crawl: yes\n\n[agent: ad-network]\ncrawl: no\n\ntrain: no\n';
		expect(await robots2(text)).toEqual(['6 warning robots2-directive-after-section']);
	});

	it('ask without an ask endpoint, and a chain that is not the last line', async () => {
		expect(await robots2('train: ask\nchain: https://a.test/robots2.txt\nread: yes\n')).toEqual([
			'1 info robots2-ask-without-endpoint',
			'2 warning robots2-chain-not-last',
		]);
	});

	it('host bits in a range', async () => {
		const list = { formatVersion: '1.0', synctoken: '1', creationTime: '2026-01-01T00:00:00Z' };
		const prefixes = [{ ipv4Prefix: '10.1.2.3/8' }];
		expect(short((await lint({ 'bots.json': { ...list, prefixes } })).lines)).toEqual(['1 warning ranges-host-bits']);
		expect(short((await lint({ 'bots.txt': '# ours\n2001:db8::1/32\n' })).lines)).toEqual([
			'2 warning ranges-host-bits',
		]);
	});
});

describe('files that belong together', () => {
	const robots = 'User-agent: *\nDisallow: /private\nContent-Signal: ai-train=no\n';
	const robots2 = 'User-agent: *\nAllow: /private\n\ntrain: yes\n';
	const contradictions = ['2 warning robots2-contradicts-robots', '4 warning lint-vocabularies-disagree'];

	it('robots.txt and robots2.txt of one folder contradict each other', async () => {
		expect(short((await lint({ 'robots.txt': robots, 'robots2.txt': robots2 })).lines)).toEqual(contradictions);
		expect((await lint({ 'a/robots.txt': robots, 'b/robots2.txt': robots2 })).lines).toEqual([]);
	});

	it('--robots names the file that stands beside', async () => {
		const files = { 'a/robots.txt': robots, 'b/robots2.txt': robots2 };
		const { lines } = await lint(files, 'b/robots2.txt', '--robots', 'a/robots.txt');
		expect(short(lines)).toEqual(contradictions);
	});

	it('--previous finds revisions that fall', async () => {
		const manifest = (siteRev: number, rev: number) => ({
			version: 1,
			generated: '2026-01-01T00:00:00Z',
			site_rev: siteRev,
			entries: { '/': { rev } },
		});
		const files = { 'old.json': manifest(9, 5), 'pagedigest.json': manifest(8, 4) };
		const { lines, exitCode } = await lint(files, 'pagedigest.json', '--previous', 'old.json');
		expect(short(lines)).toEqual(['0 error pagedigest-site-rev-decreased', '0 error pagedigest-rev-decreased']);
		expect(exitCode).toBe(1);
		const broken = { ...files, 'old.json': '{}' };
		expect((await lint(broken, 'pagedigest.json', '--previous', 'old.json')).lines).toEqual([
			'pagedigest.json:0:0 error lint-previous-invalid old.json is not a valid manifest; the revisions were not compared',
		]);
		const empty = { ...files, 'pagedigest.json': '{' };
		expect(short((await lint(empty, 'pagedigest.json', '--previous', 'old.json')).lines)).toEqual([
			'1 error pagedigest-invalid-json',
		]);
	});

	it('companions without their file are wrong usage', async () => {
		const files = { 'robots.txt': robots };
		expect(await lint(files, 'robots.txt', '--robots', 'robots.txt')).toMatchObject({ exitCode: 2 });
		expect(await lint(files, 'robots.txt', '--previous', 'robots.txt')).toMatchObject({ exitCode: 2 });
		expect(await lint(files, 'robots.txt', '--robots', 'nowhere')).toMatchObject({ exitCode: 3 });
	});
});

const document = {
	schema: { name: 'AIDocument', version: '2.0' },
	source: { url: 'https://example.com/', freshness_policy: 'cache_first' },
	cache: { status: 'hit', origin_contacted: false, body_fetched: false },
	identity: {},
	content: { markdown: '' },
	structure: {},
	signals: { has_json_ld: false, heading_hierarchy_ok: false },
};

describe('documents', () => {
	it('AIDocuments alone and in lines', async () => {
		expect((await lint({ 'a.json': document })).lines).toEqual([]);
		const { identity: _, ...rest } = document;
		expect((await lint({ 'a.json': rest })).lines).toEqual([
			'a.json:1:1 error aidocument-missing-field /identity is required but missing',
		]);
		const results = [
			{ url: 'https://example.com/', outcome: 'fetched', document },
			{ url: 'https://example.com/x', outcome: 'refused' },
			{ url: 'https://example.com/y', outcome: 'fetched', document: rest },
			rest,
		];
		const text = `${results.map((result) => JSON.stringify(result)).join('\n')}\n\n{`;
		expect(short((await lint({ 'out.jsonl': text })).lines)).toEqual([
			'3 error aidocument-missing-field',
			'4 error aidocument-missing-field',
			'6 error aidocument-not-json',
		]);
	});

	it('SOM documents and tdmrep.json', async () => {
		expect(short((await lint({ 'page.json': { som_version: '9' } })).lines)).toEqual([
			'1 error som-document-unsupported-version',
		]);
		expect(short((await lint({ 'tdmrep.json': { location: '/', 'tdm-reservation': 1 } })).lines)).toEqual([
			'1 warning tdmrep-not-array',
		]);
	});

	it('a web page in the place of something else', async () => {
		const { lines, exitCode } = await lint({ 'robots2.txt': '<!doctype html><title>Not found</title>' });
		expect(lines).toEqual(['robots2.txt:1:1 error lint-web-page this is a web page, not robots2.txt']);
		expect(exitCode).toBe(1);
		const robots = await lint({ 'robots.txt': '<html><p>one</p>\n<p>two</p>' });
		expect(short(robots.lines)).toEqual(['1 error html-instead-of-robots']);
	});
});

describe('output', () => {
	const files = { 'sub dir/robots.txt': 'User-agent: *\nAllow: /\nContent-Usage: Train-AI=n\nUser-agent: x y\n' };

	it('counts on stderr, and the exit code tells of errors alone', async () => {
		const bad = await lint(files);
		expect(bad).toMatchObject({ exitCode: 1 });
		expect(bad.stderr).toMatch(/^1 error, \d+ warnings?, 0 remarks in 1 file\n$/);
		const good = await lint({ 'robots.txt': 'User-agent: AI2Bot\nDisallow: /\n' });
		expect(good).toMatchObject({ exitCode: 0, stderr: '0 errors, 1 warning, 0 remarks in 1 file\n' });
	});

	it('--json prints an object a line', async () => {
		const { lines } = await lint(files, '--json', 'sub dir/robots.txt');
		expect(JSON.parse(lines[0]!)).toEqual({
			file: 'sub dir/robots.txt',
			line: 3,
			column: 16,
			severity: 'error',
			code: 'content-usage-unparsable',
			args: { text: 'Train-AI=n' },
			message: 'Content-Usage Train-AI=n is not a dictionary (RFC 9651); the whole field is ignored',
		});
	});

	it('--sarif writes SARIF 2.1.0 to a file or to stdout', async () => {
		const { stdout } = await lint(files, '--sarif', '-', 'sub dir/robots.txt');
		const { version, runs } = JSON.parse(stdout);
		expect(version).toBe('2.1.0');
		const [{ tool, results }] = runs;
		const rules: string[] = tool.driver.rules.map(({ id }: { id: string }) => id);
		for (const { ruleId, ruleIndex } of results) expect(rules[ruleIndex]).toBe(ruleId);
		expect(results[0]).toMatchObject({
			ruleId: 'content-usage-unparsable',
			level: 'error',
			locations: [
				{
					physicalLocation: {
						artifactLocation: { uri: 'sub%20dir/robots.txt' },
						region: { startLine: 3, startColumn: 16 },
					},
				},
			],
		});
		const { folder, lines } = await lint(files, 'sub dir/robots.txt', '--sarif', 'out.sarif');
		expect(lines.length).toBe(results.length);
		expect(JSON.parse(readFileSync(join(folder, 'out.sarif'), 'utf8')).runs[0].results).toEqual(results);
	});

	it('a problem of the whole file has no region in SARIF', async () => {
		const { stdout } = await lint({ 'x.json': { prefixes: [] } }, '--sarif', '-', 'x.json');
		const [{ locations }] = JSON.parse(stdout).runs[0].results;
		expect(locations[0].physicalLocation).toEqual({ artifactLocation: { uri: 'x.json' } });
	});

	it('text from a file cannot move the cursor or turn the line round', async () => {
		const { lines } = await lint({ 'robots2.txt': 'x\u001b[31m\u202e: 1\n' });
		expect(lines.join('\n')).toContain('\\u001b[31m\\u202e');
	});

	it('wrong usage and unreadable files', async () => {
		const mixed = await lint({ 'x.bin': 'hello', 'robots.txt': 'User-agent: AI2Bot\n' });
		expect(mixed).toMatchObject({ exitCode: 2, lines: [expect.stringContaining('agent-cut')] });
		expect(mixed.stderr).toContain('x.bin: neither name nor content shows the format');
		expect((await lint({ 'x.bin': 'User-agent: *' }, 'x.bin', '--format', 'robots')).exitCode).toBe(0);
		expect(await lint({ 'x.bin': '' }, 'x.bin', '--format', 'nonsense')).toMatchObject({ exitCode: 2 });
		expect(await lint({}, 'robots.txt', '--json', '--sarif', '-')).toMatchObject({ exitCode: 2 });
		const { exitCode, stderr, lines } = await lint({ 'robots.txt': 'User-agent: AI2Bot\n' }, 'gone.txt', 'robots.txt');
		expect({ exitCode, lines: lines.length }).toEqual({ exitCode: 3, lines: 1 });
		expect(stderr).toContain('gone.txt: ');
	});
});

describe('addresses', () => {
	async function serving(pages: Readonly<Record<string, string>>, use: (origin: string) => Promise<void>) {
		const server = createServer(({ url = '' }, response) => {
			const page = pages[url];
			if (page?.startsWith('/')) response.writeHead(302, { location: page }).end();
			else response.writeHead(page === undefined ? 404 : 200).end(page);
		});
		await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
		try {
			await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
		} finally {
			server.close();
		}
	}

	it('an address without a path stands for the policy files of the site', async () => {
		const pages = {
			'/robots.txt': '/moved.txt',
			'/moved.txt': 'User-agent: *\nDisallow: /x\n',
			'/robots2.txt': 'User-agent: *\nAllow: /x\n',
		};
		await serving(pages, async (origin) => {
			const { lines, stderr, exitCode } = await lint({}, origin);
			expect(lines).toEqual([
				`${origin}/robots2.txt:2:8 warning robots2-contradicts-robots robots.txt disallows /x for *, robots2.txt allows it; the stricter one applies`,
			]);
			expect(stderr).toContain(`${origin}/.well-known/pagedigest.json: HTTP 404\n`);
			expect(exitCode).toBe(0);
		});
	});

	it('a file that is named and not there could not be checked', async () => {
		await serving({ '/loop': '/loop' }, async (origin) => {
			expect(await lint({}, `${origin}/robots.txt`)).toMatchObject({ exitCode: 3 });
			expect(await lint({}, origin)).toMatchObject({ exitCode: 3 });
			expect((await lint({}, `${origin}/loop`)).stderr).toContain('too many redirects');
		});
	});
});

describe('many findings', () => {
	const names = Array.from(
		{ length: 9 },
		(_, at) => `User-agent: ${'abcdefghi'[at]}xx Bot\nDisallow: /a b${at}\n`,
	).join('');

	it('are ranked, and repeated ones are counted', async () => {
		const { lines, exitCode } = await lint({ 'robots.txt': `${names}Content-Usage: Train-AI=n\n` });
		expect(short(lines)).toEqual(
			[
				'19 error content-usage-unparsable',
				'2 warning white-space-in-path',
				'4 warning white-space-in-path',
				'6 warning white-space-in-path',
				'8 warning white-space-in-path',
				'1 info agent-cut',
				'3 info agent-cut',
				'5 info agent-cut',
				'7 info agent-cut',
			].map((line) => expect.stringMatching(new RegExp(`^${line}`))),
		);
		expect(lines[4]).toBe('robots.txt:8:11 warning white-space-in-path 6 more of these: lines 8, 10, 12, 14, 16, 18');
		expect(exitCode).toBe(1);
	});

	it('are all in the output for machines', async () => {
		const { lines } = await lint({ 'robots.txt': names }, 'robots.txt', '--json');
		expect(lines).toHaveLength(18);
	});

	it('are annotations for GitHub', async () => {
		const { lines } = await lint({ 'robots.txt': 'User-agent: *\nDisallow: /a b,%\n' }, 'robots.txt', '--github');
		expect(lines).toEqual([
			expect.stringMatching(/^::warning file=robots\.txt,line=2,col=11,title=white-space-in-path::.*"\/a b,%25"/),
			expect.stringMatching(/^::notice file=robots\.txt,line=2,col=\d+,title=invalid-percent::/),
		]);
	});
});

describe('--explain', () => {
	it('prints the meaning of a code, and the address of its page', async () => {
		const { exitCode, stdout } = await lint({}, '--explain', 'lost-line-break');
		expect(exitCode).toBe(0);
		expect(stdout).not.toContain('{');
		expect(stdout).toMatch(
			/^lost-line-break \(warning\)\na line break is missing before …, .*\nhttps:.*problems\/lost-line-break\.md\n$/,
		);
	});

	it('names the nearest code', async () => {
		const { exitCode, stderr } = await lint({}, '--explain', 'lost-line-brake');
		expect([exitCode, stderr]).toEqual([2, expect.stringContaining('did you mean lost-line-break?')]);
	});
});
