import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { lastLines, type Place, run, start, succeed } from './run.ts';

// What a stranger does with the packed files in a project of their own. Each check throws where something is wrong.

/** @param site the address of a site on this machine, with a slash at its end */
export type Check = (place: Place, site: string) => Promise<void>;

const wayleave = (place: Place, ...argv: string[]) => run(place, 'npx', 'wayleave', ...argv);

/** The command is started without `npx`, which would be a process more between a signal and the command. */
const serve = (place: Place, ...argv: string[]) =>
	start(place, 'node', [join(place.cwd, 'node_modules/wayleave/bin/wayleave.js'), ...argv]);

export const checks: Readonly<Record<string, Check>> = {
	async 'npx wayleave --version, --help'(place) {
		const { status, stdout, stderr } = await wayleave(place, '--version');
		expect(status === 0 && /^\d+\.\d+\.\d+\n$/.test(stdout) && stderr === '', lastLines({ stdout, stderr }));
		const help = await wayleave(place, '--help');
		expect(help.status === 0 && help.stdout.includes('Usage: wayleave'), lastLines(help));
	},

	async conformance(place) {
		const { status, stdout, stderr } = await wayleave(place, 'conformance');
		// 1 says that not every requirement is shown, as in a package made without a test run.
		expect(status === 0 || status === 1, lastLines({ stdout, stderr }));
		expect(/^\d+ of \d{3} requirements /m.test(stdout), stdout);
	},

	async crawl(place, site) {
		// A folder of its own: the next version of Node begins anew.
		const cwd = mkdtempSync(join(place.cwd, 'crawl-'));
		const { status, stdout, stderr } = await wayleave(
			{ ...place, cwd },
			...['crawl', site, '--delay', '0.05', '--max-pages', '5', '--out', 'pages.jsonl'],
		);
		expect(status === 0, lastLines({ stdout, stderr }));
		expect(!/Warning/.test(stderr), `a warning: ${stderr}`);
		const lines = readFileSync(join(cwd, 'pages.jsonl'), 'utf8').trim().split('\n');
		expect(lines.length === 5, `${lines.length} documents`);
		const { document } = JSON.parse(lines[0] ?? '{}') as { document?: { identity: { title: string } } };
		expect(typeof document?.identity.title === 'string', lines[0]);
	},

	async 'better-sqlite3 by name, and a reader that ends early'(place, site) {
		const cwd = mkdtempSync(join(place.cwd, 'native-'));
		const there = { cwd, env: { ...place.env, WAYLEAVE_SQLITE: 'better-sqlite3' } };
		const bin = join(place.cwd, 'node_modules/wayleave/bin/wayleave.js');
		const script = `{ node "${bin}" "$@"; echo "code $?" >&2; } | head -c 1 >/dev/null`;
		const quick = ['--delay', '0', '--i-own-this-site', '127.0.0.1'];
		for (const argv of [
			['fetch', site, '--store', 'sqlite:pages.db'],
			['crawl', site, '--store', 'sqlite:crawl.db', '--out', '-', '--max-pages', '5'],
			['fetch', site, '--store', 'sqlite:pages.db', '--force-refresh'],
		]) {
			const { stderr } = await run(there, 'bash', '-c', script, 'bash', ...argv, ...quick);
			const lines = stderr.split('\n').filter((line) => !/^(?:waiting |the site asks|$)/.test(line));
			expect(lines.join() === 'code 0', `${argv[0]}: ${stderr}`);
		}
	},

	async 'fetch, check, lint, som'(place, site) {
		for (const argv of [
			['fetch', site, '--format', 'markdown', '--delay', '0'],
			['check', site, '--use', 'read'],
			['lint', `${site}robots.txt`],
			['som', site, '--delay', '0'],
		]) {
			const { status, stdout, stderr } = await wayleave(place, ...argv);
			expect(
				status === 0 && (stdout !== '' || argv[0] === 'lint'),
				`${argv[0]}: ${status}: ${lastLines({ stdout, stderr })}`,
			);
		}
	},

	async 'init, gateway with dashboard'(place, site) {
		const folder = mkdtempSync(join(place.cwd, 'site-'));
		const here = { ...place, cwd: folder };
		await succeed(here, 'npx', 'wayleave', 'init', '--yes', '--origin', 'https://example.com');
		const gateway = start(here, 'node', [
			join(place.cwd, 'node_modules/wayleave/bin/wayleave.js'),
			...['gateway', '--upstream', new URL(site).origin, '--listen', '127.0.0.1:0', '--dashboard', '127.0.0.1:0'],
		]);
		try {
			const [, dashboard = ''] = await gateway.printed(/dashboard: (http:\S+)/);
			const page = await fetch(dashboard);
			const text = await page.text();
			expect(page.status === 200 && text.includes('index.js'), `the dashboard: ${page.status} ${text}`);
			expect((await fetch(new URL('index.js', dashboard))).status === 200, 'no index.js');
			const [, address = ''] = await gateway.printed(/served at (http:[^\s]+)/);
			const status = await statusAt(address, { host: 'example.com', 'user-agent': 'Mozilla/5.0 Firefox/140.0' });
			expect(status === 200, `the site through the gateway: ${status}`);
			const terms = await fetch(new URL('/robots2.txt', address));
			expect(terms.status === 200, `robots2.txt: ${terms.status}`);
		} finally {
			const status = await gateway.stop();
			expect(status === 0, `the gateway ended with ${status}: ${gateway.stderr()}`);
		}
	},

	async serve(place, site) {
		const service = serve(
			place,
			...[
				'serve',
				'--open',
				'--listen',
				'127.0.0.1:0',
				'--allow-private',
				'127.0.0.1',
				'--i-own-this-site',
				'127.0.0.1',
			],
		);
		try {
			const [address = ''] = await service.printed(/http:\/\/127\.0\.0\.1:\d+/);
			const response = await fetch(`${address}/v1/aidocument`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ url: site }),
			});
			const text = await response.text();
			expect(response.status === 200 && text.includes('"identity"'), `${response.status} ${text.slice(0, 300)}`);
			expect((await fetch(`${address}/openapi.json`)).status === 200, 'no /openapi.json');
		} finally {
			const status = await service.stop();
			expect(status === 0, `the service ended with ${status}: ${service.stderr()}`);
		}
	},

	async mcp(place) {
		const server = serve(place, 'mcp');
		const send = (message: object) =>
			server.process.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
		try {
			const params = {
				protocolVersion: '2025-06-18',
				capabilities: {},
				clientInfo: { name: 'stranger', version: '1' },
			};
			send({ id: 1, method: 'initialize', params });
			await server.printed(/"id":1/);
			send({ method: 'notifications/initialized' });
			send({ id: 2, method: 'tools/list' });
			await server.printed(/"tools":\[.*"id":2|"id":2.*"tools":\[/);
		} finally {
			server.process.stdin?.end();
			await server.stop();
		}
	},

	async 'TypeScript under node16 and bundler'(place) {
		writeFileSync(join(place.cwd, 'program.ts'), program);
		const tsc = join(place.cwd, 'node_modules/typescript/bin/tsc');
		for (const [module, resolution] of [
			['node16', 'node16'],
			['nodenext', 'nodenext'],
			['esnext', 'bundler'],
		]) {
			const flags = ['--module', module, '--moduleResolution', resolution, '--target', 'es2023', '--lib', 'es2023,dom'];
			// Our own declarations are checked too, not only what the program takes from them.
			const strict = ['--strict', '--noEmit', '--types', 'node', '--ignoreConfig'];
			await succeed(place, 'node', tsc, ...flags.map(String), ...strict, '--skipLibCheck', 'false', 'program.ts');
		}
		const emit = ['--module', 'node16', '--target', 'es2023', '--types', 'node', '--ignoreConfig', 'program.ts'];
		await succeed(place, 'node', tsc, ...emit);
		const { stdout } = await succeed(place, 'node', 'program.js');
		expect(stdout === 'deny 2\n# Tides\n', stdout);
	},

	async 'a CommonJS program'(place) {
		const text = `
			import('@wayleave/protocols/robots').then(({ parseRobots }) => {
				const required = require('@wayleave/protocols/robots');
				console.log(required.parseRobots === parseRobots, parseRobots('User-agent: *').value.groups.length);
			});`;
		writeFileSync(join(place.cwd, 'program.cjs'), text);
		const { stdout, stderr } = await succeed(place, 'node', 'program.cjs');
		expect(stdout === 'true 1\n' && stderr === '', `${stdout} ${stderr}`);
	},

	async 'a CommonJS program in TypeScript'(place) {
		writeFileSync(
			join(place.cwd, 'common.cts'),
			`import { parseRobots } from '@wayleave/protocols/robots';
console.log(parseRobots('User-agent: *').value.groups.length);`,
		);
		const tsc = join(place.cwd, 'node_modules/typescript/bin/tsc');
		const flags = ['--target', 'es2023', '--strict', '--types', 'node', '--ignoreConfig', 'common.cts'];
		await succeed(place, 'node', tsc, '--module', 'node20', ...flags);
		const { stdout } = await succeed(place, 'node', 'common.cjs');
		expect(stdout === '1\n', stdout);
		// Under the module rules of Node 16, the compiler says what to do: these packages are ES modules only.
		const old = await run(place, 'node', tsc, '--module', 'node16', ...flags);
		expect(old.status !== 0 && /TS1479.*dynamic 'import\(/s.test(old.stdout), lastLines(old));
	},
};

/** The error on a machine without any SQLite driver for files. */
export const refusals: Readonly<Record<string, Check>> = {
	async 'serve, mcp: one sentence that says what to do'(place) {
		for (const argv of [['serve', '--open', '--listen', '127.0.0.1:0'], ['mcp']]) {
			const { status, stdout, stderr } = await wayleave(place, ...argv);
			const sentence =
				/^error: SQLite cannot be loaded: run `npm (?:rebuild|install) better-sqlite3\S*`.*, use Node 22\.13 or newer, .*$/m;
			expect(status === 3 && stdout === '' && sentence.test(stderr), `${argv[0]}: ${status}: ${stderr}`);
		}
	},
};

const program = `
import { crawl } from '@wayleave/crawler';
import { extract } from '@wayleave/extract';
import { countTokens } from '@wayleave/extract/tokens';
import { checkConfig, createGateway } from '@wayleave/gateway';
import { expressGateway } from '@wayleave/gateway/express';
import { somEndpoint } from '@wayleave/gateway/som';
import { createFetcher } from '@wayleave/io/http';
import { decide, type Verdict } from '@wayleave/protocols/policy';
import { parseRobots } from '@wayleave/protocols/robots';
import { robotsProblems } from '@wayleave/protocols/robots/problems';
import { createClient } from '@wayleave/service/client';
import { createClient as formerClient } from 'wayleave/client';

const source = 'https://example.com/robots.txt';
const file = parseRobots('User-agent: GPTBot\\nDisallow: /drafts/\\n').value;
const verdict: Verdict = decide({ robots: { source, file } }, { token: 'GPTBot' }, 'train', 'https://example.com/drafts/1');
console.log(verdict.effect, verdict.because[0]?.line);
console.log(extract('<main><h1>Tides</h1><p>Twice a day.</p></main>', 'https://example.com/').markdown.split('\\n')[0]);
export const all = [crawl, countTokens, checkConfig, createGateway, expressGateway, somEndpoint, createFetcher];
export const others = [robotsProblems, createClient, formerClient];
`;

/** For a request with its own `Host`, which `fetch` does not send. */
async function statusAt(address: string, headers: OutgoingHttpHeaders): Promise<number | undefined> {
	const [response] = (await once(get(address, { headers }), 'response')) as [IncomingMessage];
	response.resume();
	return response.statusCode;
}

/** What a package brings along: how many others, and files of machine code. */
export function installed({ cwd }: Place): { packages: number; native: string[] } {
	const modules = join(cwd, 'node_modules');
	const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as { packages: object };
	const native = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.node'));
	return { packages: Object.keys(lock.packages).length, native };
}

export function expect(holds: boolean, otherwise: string | undefined): asserts holds {
	if (!holds) throw new Error(otherwise ?? 'not so');
}
