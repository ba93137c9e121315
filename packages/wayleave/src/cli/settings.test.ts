import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configSchema } from '@wayleave/gateway';
import { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../command-list.ts';
import { run } from '../program.ts';
import { withAgentOptions } from '../shared/options/agent.ts';
import { recordingTerminal } from '../testing/recorder.ts';
import { applySettings, variableOf } from './settings.ts';

let cwd: string;
let home: string;
beforeEach(() => {
	cwd = mkdtempSync(join(tmpdir(), 'wayleave-settings-'));
	home = mkdtempSync(join(tmpdir(), 'wayleave-home-'));
});

function put(folder: string, name: string, text: string): void {
	mkdirSync(join(folder, name, '..'), { recursive: true });
	writeFileSync(join(folder, name), text);
}
const ofProject = (text: string) => put(cwd, 'wayleave.config.yaml', text);
const ofUser = (text: string) => put(home, '.config/wayleave/config.yaml', text);

/** The options that a crawl would have. */
async function optionsWith(argv: readonly string[], env: Record<string, string> = {}) {
	const command = withAgentOptions(new Command('crawl').option('--store <URL>').option('--no-sitemaps'));
	new Command('wayleave').addCommand(command);
	command.parse(argv, { from: 'user' });
	await applySettings(command, recordingTerminal(cwd, { HOME: home, ...env }), async () => ['maxPages']);
	return command.opts<Record<string, unknown>>();
}

async function wayleave(argv: readonly string[], env: Record<string, string> = {}) {
	const terminal = recordingTerminal(cwd, { HOME: home, ...env });
	const code = await run(argv, terminal, commands);
	return { code, out: terminal.stdout(), err: terminal.stderr() };
}

describe('U2-25: settings', () => {
	it('a flag comes before a variable, that before the file of the folder, that before the file of the user', async () => {
		ofUser('crawl: { botName: OfUser }');
		expect((await optionsWith([])).botName).toBe('OfUser');
		ofProject('crawl: { botName: OfProject }');
		expect((await optionsWith([])).botName).toBe('OfProject');
		const env = { WAYLEAVE_BOT_NAME: 'OfVariable' };
		expect((await optionsWith([], env)).botName).toBe('OfVariable');
		expect((await optionsWith(['--bot-name', 'OfFlag'], env)).botName).toBe('OfFlag');
		expect((await optionsWith([], { WAYLEAVE_BOT_NAME: '' })).botName).toBe('OfProject');
	});

	it('every kind of value is read as the flag reads it', async () => {
		ofProject(
			'crawl:\n  delay: 3.5\n  use: [read, train]\n  i-own-this-site: [a.test, b.test]\n  sitemaps: false\n  category: search-indexer\n  maxPages: 5\n',
		);
		expect(await optionsWith([])).toMatchObject({
			delay: 3500,
			use: ['read', 'train'],
			iOwnThisSite: ['a.test', 'b.test'],
			sitemaps: false,
			category: 'search-indexer',
		});
		expect(await optionsWith([], { WAYLEAVE_USE: 'read,store', WAYLEAVE_SITEMAPS: 'true' })).toMatchObject({
			use: ['read', 'store'],
			sitemaps: true,
		});
		expect((await optionsWith(['--no-sitemaps'], { WAYLEAVE_SITEMAPS: 'true' })).sitemaps).toBe(false);
	});

	it('files and stores are named from the folder of the file that names them', async () => {
		ofUser('crawl: { signKey: keys/a.pem, store: "sqlite:./pages.db" }');
		const folder = join(home, '.config/wayleave');
		expect(await optionsWith([])).toMatchObject({
			signKey: join(folder, 'keys/a.pem'),
			store: `sqlite:${join(folder, 'pages.db')}`,
		});
		ofUser('crawl: { signKey: ~/a.pem, store: "postgres://crawler@db/x" }');
		expect(await optionsWith([])).toMatchObject({ signKey: join(home, 'a.pem'), store: 'postgres://crawler@db/x' });
		ofUser('crawl: { store: memory }');
		expect((await optionsWith([])).store).toBe('memory');
	});

	it('the file of a site is read for this section only, and the gateway takes it', async () => {
		ofProject('origin: https://a.test\npolicy: { tarin: no }\ncrawl: { botName: X }\n');
		expect((await optionsWith([])).botName).toBe('X');
		ofProject('origin: https://a.test\n');
		expect((await optionsWith([])).botName).toBeUndefined();
		ofProject('crawl:\n');
		expect((await optionsWith([])).botName).toBeUndefined();
		expect(Object.keys(configSchema.shape)).toContain('crawl');
	});

	it.each([
		['crawl: { botUlr: x }', 'wayleave.config.yaml:1:10: crawl.botUlr: unknown key; did you mean botUrl?'],
		['crawl: { bot-ulr: x }', 'wayleave.config.yaml:1:10: crawl.bot-ulr: unknown key; did you mean botUrl?'],
		['crawl: { zzzzzz: x }', 'wayleave.config.yaml:1:10: crawl.zzzzzz: unknown key'],
		['cralw: { delay: 3 }', 'wayleave.config.yaml:1:1: cralw: unknown key; did you mean crawl?'],
		['crawl: { delay: soon }', 'wayleave.config.yaml:1:10: crawl.delay: expected a number of seconds, 0 or more'],
		['crawl: { ask: nevr }', 'wayleave.config.yaml:1:10: crawl.ask: expected one of auto, never; did you mean never?'],
		['crawl: { scope: hots }', 'crawl.scope: expected one of host, domain, prefix; did you mean host?'],
		['crawl: { delay: { a: 1 } }', 'crawl.delay: expected text or a number'],
		['crawl: { botUrl: [a, b] }', 'crawl.botUrl: expected one value, not a list'],
		['crawl: { sitemaps: 5 }', 'crawl.sitemaps: expected true or false'],
		['crawl: [delay]', 'wayleave.config.yaml:1:8: crawl: expected keys with their values: botUrl, delay, use, …'],
		['crawl: { a: b: c }', 'wayleave.config.yaml:1:'],
		['crawl: { use: [steal] }', '--use steal: expected one of crawl, read'],
		['crawl: { json: true }', 'crawl.json: unknown key'],
		['crawl: { bot-name: a, botName: b }', 'crawl.botName: the key appears twice: keep one'],
	])('%s is refused: %s', async (text, sentence) => {
		ofProject(text);
		const { code, err } = await wayleave(['crawl', 'http://127.0.0.1:9/']);
		expect(err).toContain(sentence);
		expect(code).toBe(2);
	});

	it('all mistakes are said at once, of the file of the user too', async () => {
		ofUser('crawl: { botUlr: x, delya: 3 }\nother: 1\n');
		const { code, err } = await wayleave(['fetch', 'http://127.0.0.1:9/']);
		expect(err.match(/unknown key/g)).toHaveLength(3);
		expect(err).toContain(join(home, '.config/wayleave/config.yaml'));
		expect(code).toBe(2);
		// What does not ask hosts is not stopped by it.
		expect((await wayleave(['ranges', 'check', 'missing.json'])).code).toBe(3);
	});

	it('a variable with a wrong value is an error, a misspelt one a remark', async () => {
		const wrong = await wayleave(['crawl', 'http://127.0.0.1:9/'], { WAYLEAVE_DELAY: 'soon' });
		expect(wrong).toMatchObject({ code: 2, err: 'error: WAYLEAVE_DELAY: expected a number of seconds, 0 or more\n' });
		const misspelt = await wayleave(['fetch', 'http://127.0.0.1:9/'], { WAYLEAVE_BOT_ULR: 'x', WAYLEAVE_OTHERS: 'x' });
		expect(misspelt.err).toContain('the variable WAYLEAVE_BOT_ULR is ignored: did you mean WAYLEAVE_BOT_URL?\n');
		expect(misspelt.err).not.toContain('OTHERS');
		expect(variableOf('iOwnThisSite')).toBe('WAYLEAVE_I_OWN_THIS_SITE');
	});

	it('--use and --category mean something else for check: settings of a crawl are not taken for them', async () => {
		ofProject('crawl: { use: [train], category: search-indexer, scope: domain, budget: 5 }');
		writeFileSync(join(cwd, 'r.txt'), 'User-agent: *\nDisallow:\n');
		const { out, code } = await wayleave(['check', 'https://a.test/', '--robots', 'r.txt', '--json']);
		expect(out.trimEnd().split('\n').length).toBeGreaterThan(5);
		expect(code).toBe(0);
		writeFileSync(join(cwd, 'p.html'), '<title>x</title><p>A page with words.</p>');
		expect((await wayleave(['som', 'p.html', '--url', 'https://a.test/'])).code).toBe(0);
	});

	it.each(['crawl', 'fetch', 'som', 'check', 'lint', 'serve', 'store status'])(
		'the help of %s says so',
		async (path) => {
			const { out } = await wayleave([...path.split(' '), '--help']);
			expect(out).toContain('WAYLEAVE_BOT_URL for --bot-url');
			expect(out).toMatch(/A flag overrides a\s+variable/);
		},
	);
});

describe('U2-25: on the wire', () => {
	const agents: string[] = [];
	const server = createServer((request, response) => {
		agents.push(request.headers['user-agent'] ?? '');
		response.writeHead(request.url === '/robots.txt' ? 404 : 200, { 'content-type': 'text/html' });
		response.end('<title>Tides</title><main><p>The sea rises and falls twice a day.</p></main>');
	});
	let url: string;
	beforeAll(async () => {
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	});
	afterAll(() => {
		server.closeAllConnections();
		server.close();
	});

	it('the name of a variable and the store of a file are used', async () => {
		ofProject('crawl: { store: "sqlite:./kept.db", delay: 0 }');
		const env = { WAYLEAVE_BOT_URL: 'https://variable.example/bot' };
		expect((await wayleave(['fetch', url, '-o', 'page.json'], env)).code).toBe(0);
		expect(agents.at(-1)).toContain('https://variable.example/bot');
		expect(readFileSync(join(cwd, 'kept.db')).length).toBeGreaterThan(0);
		expect((await wayleave(['store', 'explain', url], env)).code).toBe(0);
		// A SOM document is made of the page itself: a store of the settings is no reason to refuse it.
		expect((await wayleave(['fetch', url, '--format', 'som'], env)).code).toBe(0);
		expect((await wayleave(['fetch', url, '-v'], env)).err).toMatch(
			/^--delay from wayleave\.config\.yaml:1:\d+: crawl\.delay$/m,
		);
	}, 60_000);
});
