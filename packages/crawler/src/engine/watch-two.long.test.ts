import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { sourceProgram } from '../../../../scripts/source-program.ts';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { startReceiver } from '../testing/receiver.ts';

const script = fileURLToPath(new URL('../testing/watch-child.ts', import.meta.url));
const pages = 60;

async function crawl(seed: string, store: string, receivers: readonly string[]): Promise<void> {
	const child = spawn(process.execPath, [sourceProgram(script), seed, store, ...receivers], {
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	expect((await once(child, 'close'))[0]).toBe(0);
}

it('two processes on one PostgreSQL store send each notice once', async () => {
	let price = 0;
	const site = createServer((request, response) => {
		const path = request.url ?? '/';
		response.setHeader('content-type', 'text/html');
		if (path === '/') response.end(Array.from({ length: pages }, (_, at) => `<a href="/p/${at}">${at}</a>`).join(''));
		else if (path.startsWith('/p/')) response.end(`<title>${path}</title><p>It costs ${price} EUR.</p>`);
		else response.writeHead(404).end();
	});
	site.listen(0, '127.0.0.1');
	await once(site, 'listening');
	const receivers = [await startReceiver(), await startReceiver()];
	// Long enough that the processes meet.
	for (const receiver of receivers) receiver.after = 100;
	onTestFinished(async () => {
		site.closeAllConnections();
		site.close();
		for (const receiver of receivers) await receiver.close();
	});
	const seed = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
	const store = await newDatabase();
	const urls = receivers.map(({ url }) => url);
	for (; price < 3; price++) await Promise.all([crawl(seed, store, urls), crawl(seed, store, urls)]);
	const expected = Array.from({ length: pages }, (_, at) => [`/p/${at} 1`, `/p/${at} 2`])
		.flat()
		.sort();
	for (const { received } of receivers) {
		const each = received.map(({ data }) => `${new URL(data.url).pathname} ${data.before?.version}`);
		expect([...each].sort()).toEqual(expected);
		expect(new Set(received.map(({ id }) => id)).size).toBe(received.length);
		for (let at = 0; at < pages; at++)
			expect(each.filter((one) => one.startsWith(`/p/${at} `))).toEqual([`/p/${at} 1`, `/p/${at} 2`]);
	}
}, 300_000);
