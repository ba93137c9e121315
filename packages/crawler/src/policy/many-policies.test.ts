import { queryObjects } from 'node:v8';
import { ReceivedHeaders } from '@wayleave/io/http';
import { expect, it } from 'vitest';
import { readSettings } from '../config/settings.ts';
import { HostSlot } from '../politeness/host-slot.ts';
import type { PolicyCache } from '../store/roles/policies.ts';
import { PolicyChecker } from './policy-checker.ts';
import { type LoadedFile, PolicyFiles, rememberedBytes } from './policy-files.ts';

const size = 500 * 1024;
const most = rememberedBytes / size;
const origins = Array.from({ length: 3 * most }, (_, at) => `https://h.test:${1000 + at}`);
const slot = new HostSlot({ id: 1, name: 'h.test', nextAt: 0, https: true }, { delay: 0, own: true, connections: 1 });

/** Bodies of a size, and how many of those that were made are still held by somebody. */
function bodies() {
	const made: WeakRef<Uint8Array>[] = [];
	return {
		make(): Uint8Array {
			const body = new Uint8Array(size).fill(0x23);
			made.push(new WeakRef(body));
			return body;
		},
		held(): number {
			// It counts, and before that throws away what nobody holds: seconds in a process with a large heap.
			queryObjects(WeakRef);
			return made.filter((body) => body.deref() !== undefined).length;
		},
	};
}

it('of the longest policy files no more are kept at hand than a few', async () => {
	const { make, held } = bodies();
	const answer = () => ({ ok: true, status: 200, headers: new ReceivedHeaders([]), body: make(), truncated: false });
	const files = new PolicyFiles({
		send: async (_, url) => ({ ...answer(), url }) as never,
		hosts: undefined as never,
		cache: { policyFile: async () => undefined, savePolicyFile: async () => {} } as unknown as PolicyCache,
		clock: { now: () => 0, sleep: async () => {} },
		pace: { now: () => 0, sleep: async () => {} },
		retries: 0,
		emit: () => {},
	});
	for (const origin of origins) await files.load(`${origin}/robots.txt`, slot);
	await new Promise(setImmediate);
	const kept = held();
	expect(kept).toBeGreaterThan(most / 2);
	expect(kept).toBeLessThan(most + 2);
	expect(await files.load(`${origins.at(-1)}/robots.txt`, slot)).toMatchObject({ status: 200 });
});

it('and of the terms that are made of them', async () => {
	const { make, held } = bodies();
	const load = async (url: string): Promise<LoadedFile> =>
		url.endsWith('/robots.txt')
			? { source: url, status: 200, body: make(), expiresAt: 1 }
			: { source: url, status: 404, body: new Uint8Array(), expiresAt: 1 };
	const asks = { known: async () => [], request: async () => 'stopped' as const };
	const policyChecker = new PolicyChecker({ load }, asks, readSettings({}), () => {});
	for (const origin of origins)
		expect(await policyChecker.check(`${origin}/`, slot)).toMatchObject({ permitted: true });
	await new Promise(setImmediate);
	const kept = held();
	expect(kept).toBeGreaterThan(most / 2);
	expect(kept).toBeLessThan(most + 2);
});
