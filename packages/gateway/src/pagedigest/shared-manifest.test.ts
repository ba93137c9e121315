import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkSuccession, type Manifest, parseManifest } from '@wayleave/protocols/pagedigest';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { startPostgresProxy } from '../../../io/src/testing/postgres-proxy.ts';
import { checkConfig } from '../config/load.ts';
import { DurableChangeObserver } from './change-observer.ts';

const config = checkConfig({ origin: 'https://tides.example', pagedigest: { pages: ['/'] } });
let url: string;
let time: number;
/** Observers that run. */
let open: Set<DurableChangeObserver>;
beforeEach(async () => {
	url = await newDatabase();
	time = 1_755_268_200_000;
	open = new Set();
});
afterEach(async () => {
	for (const observer of open) await observer.close();
});

async function start(store = url): Promise<DurableChangeObserver> {
	const shared = { url: store, hasOthers: () => open.size > 0 };
	const base = mkdtempSync(join(tmpdir(), 'wayleave-learner-'));
	const observer = await DurableChangeObserver.open(config, { base, delay: 3_600_000, now: () => time, shared });
	open.add(observer);
	return observer;
}

async function stop(observer: DurableChangeObserver): Promise<void> {
	open.delete(observer);
	await observer.close();
}

/** A client gets a page through a gateway, some time after the last one. */
function serve(observer: DurableChangeObserver, path: string, text: string): void {
	time += 2000;
	const page = `<!doctype html><title>Tides</title><main><h1>Tides</h1><p>${text} The water comes and goes twice a day.</p></main>`;
	observer.observe(path, Buffer.from(page), 'text/html; charset=utf-8');
}

const visit = { method: 'GET', target: '/.well-known/pagedigest.json', address: '127.0.0.1', header: () => undefined };

function announced(observer: DurableChangeObserver): Manifest {
	const { value } = parseManifest(String(observer.respond(visit)?.body));
	if (value === undefined) throw new Error('no manifest');
	return value;
}

/** After each has told the store and heard of the others. */
async function exchange(...observers: DurableChangeObserver[]): Promise<Manifest[]> {
	for (let round = 0; round < 2; round++) for (const observer of observers) await observer.store();
	return observers.map(announced);
}

const contentOf = ({ siteRev, entries }: Manifest) => ({ siteRev, pages: Object.fromEntries(entries) });

it('PD-10 gateways announce one manifest, and revisions never go back whichever of them is asked', async () => {
	const [one, two] = [await start(), await start()] as const;
	const seen: Manifest[] = [];
	const check = async () => {
		const manifests = await exchange(one, two);
		const [a, b] = manifests.map(contentOf);
		expect(a).toEqual(b);
		const last = seen.at(-1);
		if (last !== undefined && manifests[0] !== undefined) expect(checkSuccession(last, manifests[0])).toEqual([]);
		seen.push(...manifests);
	};
	serve(one, '/a', 'One.');
	serve(two, '/b', 'Other.');
	await check();
	// Both see the same change: one new revision.
	serve(one, '/a', 'Two.');
	serve(two, '/a', 'Two.');
	await check();
	expect(seen.at(-1)?.entries.get('/a')?.rev).toBe(2);
	// A change that only the other one sees.
	serve(two, '/a', 'Three.');
	await check();
	expect(seen.at(-1)?.entries.get('/a')?.rev).toBe(3);
	// They see different content: that is another revision for each.
	serve(one, '/b', 'Left.');
	serve(two, '/b', 'Right.');
	await check();
	expect(seen.at(-1)?.entries.get('/b')?.rev).toBe(3);
	two.forget('/b');
	await check();
	expect([...(seen.at(-1)?.entries.keys() ?? [])]).toEqual(['/a']);
});

it('a gateway that starts beside another announces what that one knows; one that starts alone knows nothing for certain', async () => {
	const one = await start();
	serve(one, '/a', 'One.');
	await one.store();
	const two = await start();
	expect(contentOf(announced(two))).toEqual(contentOf(announced(one)));
	const before = announced(one);
	await stop(one);
	await stop(two);
	const alone = await start();
	expect(announced(alone).entries.size).toBe(0);
	expect(announced(alone).siteRev).toBeGreaterThan(before.siteRev);
	serve(alone, '/a', 'One.');
	await alone.store();
	expect(announced(alone).entries.get('/a')?.rev).toBe(1);
});

it('a store that is lost: nothing is announced before it was read, later what was read last, then everything', async () => {
	const proxy = await startPostgresProxy(url);
	proxy.die(1, 'before', true);
	const one = await start(proxy.url);
	expect(one.respond(visit)).toBeUndefined();
	proxy.heal();
	serve(one, '/a', 'One.');
	await one.store();
	const first = contentOf(announced(one));
	proxy.die(1, 'before', true);
	serve(one, '/a', 'Two.');
	await one.store();
	expect(contentOf(announced(one))).toEqual(first);
	proxy.heal();
	await one.store();
	expect(announced(one).entries.get('/a')?.rev).toBe(2);
	await stop(one);
	await proxy.close();
});

it('PD-23 a site that shares its revisions from now on goes on from those in the file', async () => {
	const base = mkdtempSync(join(tmpdir(), 'wayleave-learner-'));
	const options = { base, delay: 3_600_000, now: () => time };
	const before = await DurableChangeObserver.open(config, options);
	for (const text of ['One.', 'Two.', 'Three.']) serve(before, '/a', text);
	await before.store();
	const last = announced(before);
	expect(last.entries.get('/a')?.rev).toBe(3);
	await before.close();
	const after = await DurableChangeObserver.open(config, { ...options, shared: { url, hasOthers: () => false } });
	open.add(after);
	serve(after, '/a', 'Four.');
	await after.store();
	expect(announced(after).entries.get('/a')?.rev).toBe(4);
	expect(announced(after).siteRev).toBeGreaterThan(last.siteRev);
});
