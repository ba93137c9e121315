import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '@wayleave/io/hash';
import { checkSuccession, digestOf, type Manifest, parseManifest } from '@wayleave/protocols/pagedigest';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import { createGateway } from '../engine/gateway.ts';
import { type ChangeObserverOptions, DurableChangeObserver } from './change-observer.ts';
import { ObservedPages } from './learned-pages.ts';

const config = checkConfig({ origin: 'https://tides.example', pagedigest: { pages: ['/'] } });
let base: string;
let time: number;
let changeObserver: DurableChangeObserver;
beforeEach(async () => {
	base = mkdtempSync(join(tmpdir(), 'wayleave-learner-'));
	time = 1_755_268_200_000;
	changeObserver = await open();
});
afterEach(() => changeObserver.close());

const open = (options: ChangeObserverOptions = {}) =>
	DurableChangeObserver.open(config, { base, delay: 3_600_000, now: () => time, ...options });
const page = (text: string, tail = '') =>
	Buffer.from(
		`<!doctype html><title>Tides</title><main><h1>Tides</h1><p>${text} The water comes and goes twice a day.</p></main>${tail}`,
	);
/** A client gets a page, some time after the last one. */
function serve(path: string, body: Buffer, type = 'text/html; charset=utf-8') {
	time += 2000;
	changeObserver.observe(path, body, type);
}
const visit = (headers: Record<string, string> = {}, method = 'GET') => ({
	method,
	target: '/.well-known/pagedigest.json',
	address: '127.0.0.1',
	header: (name: string) => headers[name],
});
async function manifest(): Promise<Manifest> {
	await changeObserver.store();
	return parseManifest(String(changeObserver.respond(visit())?.body)).value!;
}
const revs = async () => Object.fromEntries([...(await manifest()).entries].map(([key, { rev }]) => [key, rev]));

describe('a manifest that is learned from what is served', () => {
	it('PD-10 PD-11 PD-20 PD-22 revisions follow the content, and site_rev any of them', async () => {
		serve('/a', page('One.'));
		serve('/b', page('Other.'));
		const first = await manifest();
		expect(await revs()).toEqual({ '/a': 1, '/b': 1 });
		serve('/a', page('Two.'));
		serve('/a', page('One.'));
		expect(await revs()).toEqual({ '/a': 3, '/b': 1 });
		expect((await manifest()).siteRev).toBeGreaterThan(first.siteRev);
	});

	it('PD-13 neither rises for tokens and build stamps', async () => {
		serve('/a', page('One.', '<script nonce=1></script>'));
		const { siteRev } = await manifest();
		serve('/a', page('One.', '<script nonce=2></script>'));
		expect(await manifest()).toMatchObject({ siteRev, entries: new Map([['/a', { rev: 1 }]]) });
	});

	it('PD-27 PD-28 lists a digest once two clients got the same bytes, and none where they churn', async () => {
		serve('/a', page('One.'));
		expect((await manifest()).entries.get('/a')).toEqual({ rev: 1 });
		serve('/a', page('One.'));
		expect((await manifest()).entries.get('/a')).toEqual({ rev: 1, digest: digestOf(page('One.'), sha256) });
		for (const token of [1, 2, 3]) {
			time += 400_000;
			serve('/a', page('One.', `<input type=hidden value=${token}>`));
		}
		expect((await manifest()).entries.get('/a')).toEqual({ rev: 1 });
	});

	it('PD-01 PD-02 PD-03 is served as JSON, may be cached, and is not sent twice', async () => {
		serve('/a', page('One.'));
		await changeObserver.store();
		const response = changeObserver.respond(visit());
		if (response === undefined) throw new Error('no manifest');
		const { status, headers } = response;
		expect([status, headers['content-type'], headers['cache-control']]).toEqual([
			200,
			'application/json',
			'public, max-age=60',
		]);
		expect(changeObserver.respond(visit({ 'if-none-match': String(headers.etag) }))).toMatchObject({
			status: 304,
			body: '',
		});
		expect(changeObserver.respond(visit({}, 'POST'))?.status).toBe(405);
	});

	it('announces nothing that is not stored', async () => {
		serve('/a', page('One.'));
		expect(parseManifest(String(changeObserver.respond(visit())?.body)).value!.entries.size).toBe(0);
		await changeObserver.store();
		expect(parseManifest(String(changeObserver.respond(visit())?.body)).value!.entries.size).toBe(1);
	});

	it('PD-23 PD-24 goes on where it was after a restart, and lists what it has seen since', async () => {
		for (const text of ['1', '2', '3']) serve('/a', page(text));
		const before = await manifest();
		await changeObserver.close();
		changeObserver = await open();
		expect((await manifest()).entries.size).toBe(0);
		serve('/a', page('4'));
		expect(await revs()).toEqual({ '/a': 4 });
		expect(checkSuccession(before, await manifest())).toEqual([]);
	});

	it('does not claim that a page is as it was which nobody has seen for long', async () => {
		serve('/a', page('One.'));
		serve('/b', page('Two.'));
		await changeObserver.store();
		time += 3_599_000;
		serve('/b', page('Two.'));
		const { entries, coverage } = await manifest();
		expect([[...entries.keys()], coverage]).toEqual([['/b'], undefined]);
		serve('/a', page('One.'));
		expect(await revs()).toEqual({ '/a': 1, '/b': 1 });
	});

	it('lists a page that is gone no more, and goes on from its revision', async () => {
		serve('/a', page('One.'));
		serve('/a', page('Two.'));
		const { siteRev } = await manifest();
		changeObserver.forget('/a');
		expect(await manifest()).toMatchObject({ siteRev: siteRev + 1, entries: new Map() });
		serve('/a', page('Three.'));
		expect(await revs()).toEqual({ '/a': 3 });
	});

	it('PD-11 a page is gone where anybody gets 404 or 410, not where somebody who is logged in does', async () => {
		let answer = () =>
			new Response('<title>A</title><main><p>One page.</p></main>', { headers: { 'content-type': 'text/html' } });
		const gateway = createGateway(checkConfig({ origin: config.origin, pagedigest: {} }), {
			changeObserver,
			origin: async () => answer(),
		});
		const get = async (headers: Record<string, string> = {}) => {
			const request = new Request(`${config.origin}/a`, { headers: { 'user-agent': 'Firefox', ...headers } });
			await (await gateway.handle(request, { address: '192.0.2.7' })).text();
			await new Promise((resolve) => setTimeout(resolve, 20));
			return await revs();
		};
		expect(await get()).toEqual({ '/a': 1 });
		answer = () => new Response('gone', { status: 404 });
		expect(await get({ cookie: 'session=1' })).toEqual({ '/a': 1 });
		expect(await get({ authorization: 'Basic x' })).toEqual({ '/a': 1 });
		expect(await get()).toEqual({});
	});

	it('PD-14 PD-15 PD-58 learns neither tracking variants nor what is withheld, nor what is no document', async () => {
		await changeObserver.close();
		changeObserver = await open({ isWithheld: (path) => path.startsWith('/private') });
		for (const path of ['/a?utm_source=x', '//a', '/a b', '/private/x', `/${'a'.repeat(600)}`]) {
			expect(changeObserver.wants(path)).toBe(false);
			serve(path, page('One.'));
		}
		serve('/a.png', Buffer.from('x'), 'image/png');
		serve('/a.pdf', Buffer.from('x'), 'application/pdf');
		serve('/a.docx', Buffer.from('x'), 'application/vnd.openxmlformats-officedocument.wordprocessingml.document');
		serve('/a.docm', Buffer.from('x'), 'application/vnd.ms-word.document.macroEnabled.12');
		serve('/a.xlsx', Buffer.from('x'), 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
		serve('/a.doc', Buffer.from('x'), 'application/msword');
		expect(await revs()).toEqual({ '/a.pdf': 1, '/a.docx': 1, '/a.docm': 1, '/a.xlsx': 1 });
	});

	it('looks less often at a page of which only the bytes change', () => {
		const looks = (body: (turn: number) => Buffer) => {
			let count = 0;
			const pages = new ObservedPages(undefined, 1000);
			for (let at = 0; at < 600_000; at += 1000) {
				if (pages.isResting('/a', at)) continue;
				count++;
				pages.see({ key: '/a', digest: `sha256:${body(at)}`, fingerprint: () => 'same', at });
			}
			return count;
		};
		expect(looks(() => Buffer.from('same'))).toBe(600);
		expect(looks((at) => Buffer.from(String(at)))).toBeLessThan(15);
	});

	it('never lowers an integer, whatever is seen, forgotten and restarted', () => {
		const step = fc.record({
			key: fc.constantFrom('/a', '/b'),
			print: fc.constantFrom('x', 'y'),
			what: fc.constantFrom('see', 'see', 'forget', 'restart', 'expire'),
		});
		fc.assert(
			fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
				let pages = new ObservedPages(undefined, 0);
				const stored = new Map<string, Parameters<ObservedPages['giveBack']>[0][number]>();
				let before: Manifest | undefined;
				const highest = new Map<string, number>();
				for (const [at, { key, print, what }] of steps.entries()) {
					if (what === 'see') pages.see({ key, digest: `sha256:${print}`, fingerprint: () => print, at });
					else if (what === 'forget') pages.forget(key);
					else if (what === 'expire') pages.expire(at - 3);
					const changes = pages.takeChanges();
					for (const change of changes?.pages ?? []) stored.set(change.key, change);
					const siteRev = pages.siteRev;
					if (what === 'restart') pages = new ObservedPages({ siteRev, floor: 1, pages: stored }, 0);
					const next = pages.manifest('2026-01-01T00:00:00Z');
					if (before) expect(checkSuccession(before, next).filter(({ severity }) => severity === 'error')).toEqual([]);
					for (const [each, { rev }] of next.entries) {
						expect(rev).toBeGreaterThanOrEqual(highest.get(each) ?? 0);
						highest.set(each, rev);
					}
					before = next;
				}
			}),
		);
	});
});
