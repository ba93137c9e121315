import { expect, it } from 'vitest';
import { createLoader } from './load-resource.ts';

/** A loader whose requests are answered with a script; what it has asked for, and for how long that is wanted. */
function loader() {
	const sent: { url: string; signal: AbortSignal | undefined }[] = [];
	const context = {
		hosts: { holdSoon: async () => ({}), release: async () => {} },
		policyChecker: { check: async () => ({ permitted: true }) },
		clock: { now: () => 0 },
		send: async (_: unknown, url: string, { signal }: { signal?: AbortSignal }) => {
			sent.push({ url, signal });
			const headers = new Headers({ 'content-type': 'text/javascript' });
			return { ok: true, url, status: 200, headers, body: new Uint8Array(1) };
		},
	};
	return { sent, load: createLoader(context as never, new Set())('https://h.test/') };
}

const wanted = new AbortController().signal;

it('a script that says with whom it is shared is loaded for each origin by itself', async () => {
	const { sent, load } = loader();
	const url = 'https://cdn.test/app.js';
	for (const headers of [
		{ origin: 'https://h.test' },
		{ origin: 'https://h.test' },
		{ origin: 'https://i.test' },
		{},
		{},
	])
		expect(await load(url, headers, wanted)).toMatchObject({ status: 200 });
	expect(sent).toHaveLength(3);
});

it('loads resources only as long as the page is open', async () => {
	const { sent, load } = loader();
	const over = new AbortController();
	await load('https://cdn.test/1', {}, over.signal);
	expect(sent).toEqual([{ url: 'https://cdn.test/1', signal: over.signal }]);
	over.abort();
	expect(await load('https://cdn.test/2', {}, over.signal)).toBeUndefined();
	expect(sent).toHaveLength(1);
});
