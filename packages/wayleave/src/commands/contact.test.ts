import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../command-list.ts';
import { run } from '../program.ts';
import { userFolder } from '../shared/options/user-folder.ts';
import type { Terminal } from '../terminal/command.ts';
import { recordingTerminal } from '../testing/recorder.ts';

let server: Server;
let port: number;
const agents: string[] = [];

beforeAll(async () => {
	server = createServer((request, response) => {
		agents.push(request.headers['user-agent'] ?? '');
		response.writeHead(request.url === '/' ? 200 : 404, { 'Content-Type': 'text/html' });
		response.end('<!doctype html><title>T</title><main><p>Some words of this page.</p></main>');
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());
beforeEach(() => {
	agents.length = 0;
});

const emptyFolder = () => mkdtempSync(join(tmpdir(), 'wayleave-contact-'));

async function type(line: string, more: Partial<Terminal> = {}, cwd = emptyFolder()) {
	const terminal = recordingTerminal(cwd, more.env as Record<string, string>);
	const exit = await run(line.split(' '), { ...terminal, ...more }, commands);
	return { exit, out: terminal.stdout(), err: terminal.stderr(), files: readdirSync(cwd) };
}

describe('without a contact no stranger is asked', () => {
	it.each(['crawl', 'fetch', 'som', 'check', 'lint', 'check-live --config site.yaml'])(
		'C2-110: %s ends with one sentence that shows the flag, before anything is looked up',
		async (command) => {
			const cwd = emptyFolder();
			writeFileSync(join(cwd, 'site.yaml'), 'origin: http://harbour.invalid\n');
			const [name, ...flags] = command.split(' ');
			const { exit, err, files } = await type([name, 'http://harbour.invalid/', ...flags].join(' '), {}, cwd);
			expect(exit).toBe(2);
			expect(err).toMatch(
				/^error: harbour\.invalid was not requested: .*--contact .*--bot-url .*--i-own-this-site harbour\.invalid/,
			);
			expect(err.trim().split('\n')).toHaveLength(1);
			expect(files).toEqual(['site.yaml']);
		},
	);

	it.each([
		'https://bot.example/about',
		'https://bot.invalid/',
		'http://bot.test/',
		'http://localhost:8080/bot',
		'http://127.0.0.1/bot',
		'http://10.1.2.3/',
		'http://intranet/bot',
		'https://example.com/bot',
		'https://www.EXAMPLE.net./',
		'http://bot.example.org:8080/',
	])('C2-110: --bot-url %s reaches no operator, and does not count as a contact', async (address) => {
		const { exit, err } = await type(`fetch http://harbour.invalid/ --bot-url ${address}`);
		expect(exit).toBe(2);
		expect(err).toContain(`--bot-url ${address} is not a reachable contact`);
	});

	it.each(['me@bot.example', 'mailto:me@localhost', 'me@example.com', 'mailto:me@mail.example.org'])(
		'C2-110: nor does --contact %s',
		async (address) => {
			expect((await type(`fetch http://harbour.invalid/ --contact ${address}`)).exit).toBe(2);
		},
	);

	it.each(['--bot-url https://crawler.dev/bot', '--contact me@crawler.dev', '--contact https://myexample.com/'])(
		'C2-110: with %s the host is asked',
		async (flags) => {
			const { exit, err } = await type(`fetch http://harbour.invalid/ ${flags}`);
			expect(exit).not.toBe(2);
			expect(err).toContain('dns-');
		},
	);

	it('C2-110: a host of one’s own is asked', async () => {
		const { err } = await type('fetch http://harbour.invalid/ --i-own-this-site harbour.invalid');
		expect(err).toContain('dns-');
	});

	it('U2-39: this machine is, and no placeholder is sent to it either', async () => {
		for (const command of ['fetch', 'check', 'som']) await type(`${command} http://127.0.0.1:${port}/ --delay 0`);
		await type(`crawl http://localhost:${port}/ --delay 0 --out -`);
		expect(agents.length).toBeGreaterThan(8);
		expect(new Set(agents)).toEqual(new Set(['AIWebIndex/2.0 (+http://localhost/; Wayleave)']));
	});

	it('names a mailbox as a mailbox', async () => {
		await type(`fetch http://127.0.0.1:${port}/ --delay 0 --contact me@crawler.dev`);
		expect(agents[0]).toBe('AIWebIndex/2.0 (+mailto:me@crawler.dev; Wayleave)');
	});
});

describe('on a terminal', () => {
	const asked = (answers: (string | undefined)[]) => {
		const questions: string[] = [];
		const ask = async (question: string) => {
			questions.push(question);
			return answers[questions.length - 1];
		};
		return { ask, questions };
	};

	it('C2-110: a person is asked once, told why, and remembered in a file of their own', async () => {
		const home = emptyFolder();
		const env = { XDG_CONFIG_HOME: home };
		const { ask, questions } = asked(['me at home', 'me@bot.example', 'me@crawler.dev']);
		const first = await type('fetch http://harbour.invalid/', { ask, env });
		expect(questions).toHaveLength(3);
		expect(first.err).toContain('so that harbour.invalid can contact you instead of blocking you');
		expect(first.exit).not.toBe(2);
		const file = join(home, 'wayleave', 'contact');
		expect(first.err).toContain(`saved in ${file}`);
		expect(readFileSync(file, 'utf8')).toBe('mailto:me@crawler.dev\n');
		if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
		const again = asked([]);
		expect((await type('check http://harbour.invalid/', { ask: again.ask, env })).err).not.toContain('error:');
		expect(again.questions).toEqual([]);
		await type(`fetch http://127.0.0.1:${port}/ --delay 0`, { env });
		expect(agents[0]).toContain('+mailto:me@crawler.dev;');
		await type(`fetch http://127.0.0.1:${port}/ --delay 0 --bot-url https://crawler.dev/bot`, { env });
		expect(agents.at(-1)).toContain('+https://crawler.dev/bot;');
	});

	it('an empty answer gets a message with the flag', async () => {
		const { ask } = asked([undefined]);
		expect(await type('fetch http://harbour.invalid/', { ask })).toMatchObject({ exit: 2 });
	});

	it('no contact is asked for on this machine', async () => {
		const { ask, questions } = asked([]);
		expect((await type(`fetch http://127.0.0.1:${port}/ --delay 0`, { ask })).exit).toBe(0);
		expect(questions).toEqual([]);
	});

	it('a remembered contact that reaches no operator does not count', async () => {
		const home = emptyFolder();
		mkdirSync(join(home, 'wayleave'));
		writeFileSync(join(home, 'wayleave', 'contact'), 'mailto:me@bot.example\n');
		expect((await type('fetch http://harbour.invalid/', { env: { XDG_CONFIG_HOME: home } })).exit).toBe(2);
	});
});

it.each([
	[{ XDG_CONFIG_HOME: '/x' }, 'linux', '/x/wayleave'],
	[{ XDG_CONFIG_HOME: 'relative', HOME: '/home/a' }, 'linux', '/home/a/.config/wayleave'],
	[{ HOME: '/home/a', APPDATA: '/roaming' }, 'linux', '/home/a/.config/wayleave'],
	[{ APPDATA: '/roaming', USERPROFILE: '/u' }, 'win32', '/roaming/wayleave'],
	[{}, 'linux', undefined],
] as const)('the folder of the user by %j on %s is %s', (env, platform, folder) => {
	expect(userFolder(env, platform)).toBe(folder);
});
