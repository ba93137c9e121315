import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sourceProgram } from '../../../../scripts/source-program.ts';

const lines = 9000;
const hostile: Record<string, string> = {
	'/robots.txt': `User-agent: *\n${'Content-Signal: ai-input=no\n'.repeat(lines)}`,
	'/robots2.txt': `User-agent: *\n${'Content-Signal: ai-input=yes\n'.repeat(lines)}read: yes\nstore: yes\n`,
};
const page = `<!doctype html><html lang="en"><head><title>Quay</title></head><body><main><h1>Quay</h1><p>The quay wall was built of granite from the island and repaired after the flood.</p></main></body></html>`;

let folder: string;
let servers: { server: Server; origin: string }[];

async function listen(files: Readonly<Record<string, string>>) {
	const server = createServer(({ url = '/' }, response) => {
		const text = files[url] ?? (url === '/' ? page : undefined);
		if (text === undefined) return response.writeHead(404).end();
		return response.writeHead(200, { 'content-type': url === '/' ? 'text/html' : 'text/plain' }).end(text);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-hostile-'));
	servers = [await listen(hostile), await listen({})];
});
afterEach(async () => {
	for (const { server } of servers) await new Promise((resolve) => server.close(resolve).closeAllConnections());
	rmSync(folder, { recursive: true });
});

/** The command in a separate process, with a heap of 256 MB. */
function start(...args: string[]) {
	const program = ['--max-old-space-size=256', sourceProgram('packages/wayleave/src/bin.ts')];
	const child = spawn(process.execPath, [...program, ...args], { cwd: folder });
	let said = '';
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (chunk) => {
			said += chunk;
		});
	const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
	return { child, ended, said: () => said };
}

it('P2-04 crawl with 256 MB survives the files of a hostile host, and other hosts continue', async () => {
	const [bad, good] = servers.map(({ origin }) => `${origin}/`);
	const { ended, said } = start('crawl', bad ?? '', good ?? '', '--use', 'read,store', '--out', 'out.jsonl');
	expect(await ended, said()).toBe(0);
	const results = readFileSync(join(folder, 'out.jsonl'), 'utf8')
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line));
	const of = (url: string | undefined) => results.find((result) => result.url === url);
	expect(of(good)?.outcome).toBe('fetched');
	expect(of(bad)).toBeUndefined();
	expect(said()).toMatch(/ai-input=no|denied|refused|policy/);
});

it('P2-04 serve with 256 MB responds for both hosts, and continues', async () => {
	const { child, ended, said } = start(
		'serve',
		'--open',
		'--listen',
		'127.0.0.1:0',
		'--store',
		'memory',
		'--allow-private',
		'127.0.0.1',
	);
	const address = await new Promise<string>((resolve, reject) => {
		const look = () => {
			const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said())?.[0];
			if (found !== undefined) resolve(found);
		};
		child.stdout.on('data', look);
		child.stderr.on('data', look);
		void ended.then(() => reject(new Error(said())));
	});
	const ask = (url: string) =>
		fetch(`${address}/v1/aidocument`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ url }),
		});
	const [bad = '', good = ''] = servers.map(({ origin }) => `${origin}/`);
	const refused = await ask(bad);
	expect([refused.status, (await refused.text()).length < 60_000]).toEqual([403, true]);
	expect((await ask(good)).status).toBe(200);
	expect((await fetch(`${address}/healthz`)).status).toBe(200);
	child.kill();
	await ended;
});
