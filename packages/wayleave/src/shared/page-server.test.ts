import { EventEmitter, once } from 'node:events';
import { get } from 'node:http';
import { expect, it } from 'vitest';
import { servePage } from './page-server.ts';

it('says that a caller has left before the page is ready, and not that it got its page', async () => {
	const calls = new EventEmitter();
	const asked = once(calls, 'asked');
	const left = once(calls, 'left');
	let signalOfReady: AbortSignal | undefined;
	const { address, server } = await servePage({
		at: { host: '127.0.0.1', port: 0 },
		elsewhere: 'elsewhere',
		async show({ url, signal }) {
			if (url.endsWith('/ready')) {
				signalOfReady = signal;
				return new Response('page');
			}
			signal.addEventListener('abort', () => calls.emit('left', 'caller'));
			calls.emit('asked');
			await left;
			return undefined;
		},
	});
	const page = `http://127.0.0.1:${address.port}`;
	expect(await (await fetch(`${page}/ready`)).text()).toBe('page');
	expect(signalOfReady?.aborted).toBe(false);
	const request = get(`${page}/slow`).on('error', () => {});
	await asked;
	request.destroy();
	expect(await left).toEqual(['caller']);
	server.close().closeAllConnections();
	await once(server, 'close');
});
