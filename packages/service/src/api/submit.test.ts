import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@wayleave/io/sql';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, htmlPage, startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import type { ServiceOptions } from '../config/config.ts';
import { openServiceDatabase } from '../database/database.ts';
import { parseToken } from '../keys/token.ts';
import { submissionMigrations } from '../submissions/submissions.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';

let web: TestWeb;
let service: TestService;

async function start(answer: Answer, options: ServiceOptions = {}): Promise<void> {
	web = await startWeb(answer);
	service = await startService({ fetching: testSites(web.lookup, 'a.test'), ...options });
}
afterEach(async () => {
	await service.close();
	await web.close();
});

const submit = (path: string, init = {}) => service.post('/v1/submit', { url: web.url('a.test', path) }, init);

async function ended(statusUrl: string, init = {}) {
	await expect
		.poll(async () => (await (await service.request(statusUrl, init)).json()).status, { timeout: 20_000 })
		.not.toBe('queued');
	return (await service.request(statusUrl, init)).json();
}

describe('POST /v1/submit', () => {
	it('202 at once, then the document is there', async () => {
		await start(() => htmlPage('Submitted'));
		const response = await submit('/');
		const submission = await response.json();
		expect(response.status).toBe(202);
		expect(response.headers.get('location')).toBe(submission.status_url);
		const done = await ended(submission.status_url);
		expect(done).toMatchObject({ status: 'done', outcome: 'fetched', url: web.url('a.test') });
		const document = await (await service.request(done.document_url)).json();
		expect(document.identity.title).toBe('Submitted');
	});

	it('a failure tells why, with the evidence', async () => {
		await start(({ path }) =>
			path === '/robots.txt'
				? { headers: { 'Content-Type': 'text/plain' }, body: 'User-agent: *\nDisallow: /' }
				: undefined,
		);
		const done = await ended((await (await submit('/')).json()).status_url);
		expect(done).toMatchObject({
			status: 'failed',
			outcome: 'refused',
			problem: { status: 403, evidence: [{ line: 2 }] },
		});
	});

	it('is told to its own key only', async () => {
		await start(() => htmlPage('A'), { open: false });
		const [own, other] = [await service.key(), await service.key()];
		const { status_url } = await (await submit('/', { token: own })).json();
		expect((await service.request(status_url, { token: other })).status).toBe(404);
		expect(await ended(status_url, { token: own })).toMatchObject({ status: 'done' });
	});

	it('no more wait than the limit', async () => {
		await start(() => ({ hang: true }), { maxSubmissions: 2 });
		const statuses = [];
		for (const path of ['/1', '/2', '/3']) statuses.push((await submit(path)).status);
		expect(statuses).toEqual([202, 202, 429]);
	});

	it('the next service finishes submissions that were left', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'wayleave-serve-'));
		const store = `sqlite:${join(folder, 'service.db')}`;
		let silent = true;
		await start(({ path }) => (silent ? { hang: true } : htmlPage(path)), { store });
		const ids = [];
		for (const path of ['/1', '/2', '/3']) ids.push((await (await submit(path)).json()).id);
		await service.close();
		silent = false;
		service = await startService({ fetching: testSites(web.lookup, 'a.test'), store });
		for (const id of ids)
			expect(await ended(`/v1/submissions/${id}`)).toMatchObject({ status: 'done', outcome: 'fetched' });
		await service.close();
		service = await startService();
		rmSync(folder, { recursive: true });
	});
});

describe('a submission that its host puts off', () => {
	const hour = 3_600_000;
	const clock = new ManualClock();
	/** Asks once for a pause of an hour. */
	const later: Answer = ({ path, times }) => {
		if (path.endsWith('.txt')) return { status: 404 };
		return times === 0 ? { status: 503, headers: { 'Retry-After': '3600' } } : htmlPage(path);
	};
	const startWith = (options: ServiceOptions) =>
		startService({ fetching: testSites(web.lookup, 'a.test'), ...options }, { clock });
	const asked = () => web.paths('a.test').filter((path) => path === '/later').length;
	const state = async (url: string, init = {}) => (await service.request(url, init)).json();

	async function deferred(options: ServiceOptions, init = {}): Promise<string> {
		web = await startWeb(later);
		service = await startWith(options);
		const { status_url } = await (await submit('/later', init)).json();
		await expect.poll(async () => (await state(status_url, init)).retry_at).toBeDefined();
		const { status, retry_at } = await state(status_url, init);
		expect(status).toBe('queued');
		expect(Date.parse(retry_at) - clock.now()).toBeGreaterThan(hour - 60_000);
		expect(asked()).toBe(1);
		return status_url;
	}

	it('continues when its host may be requested again, and not before', async () => {
		const url = await deferred({});
		clock.advance(hour - 60_000);
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect([asked(), (await state(url)).status]).toEqual([1, 'queued']);
		clock.advance(60_001);
		await expect.poll(async () => (await state(url)).status).toBe('done');
		expect(asked()).toBe(2);
	});

	it('continues after a restart, and not before', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'wayleave-later-'));
		const store = `sqlite:${join(folder, 'service.db')}`;
		const url = await deferred({ store });
		await service.close();
		clock.advance(hour / 2);
		service = await startWith({ store });
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect([asked(), (await state(url)).status]).toEqual([1, 'queued']);
		clock.advance(hour / 2 + 1);
		await expect.poll(async () => (await state(url)).status).toBe('done');
		expect(asked()).toBe(2);
		rmSync(folder, { recursive: true });
	});

	it('is not fetched for a key that was revoked meanwhile', async () => {
		web = await startWeb(later);
		service = await startWith({ open: false });
		const token = await service.key();
		const { status_url } = await (await submit('/later', { token })).json();
		await expect.poll(async () => (await state(status_url, { token })).retry_at).toBeDefined();
		await service.service.keys.revoke(parseToken(token)?.id ?? '');
		clock.advance(hour + 1);
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(asked()).toBe(1);
	});
});

it('a database of the last version is migrated, and its submissions continue', async () => {
	web = await startWeb(() => htmlPage('A'));
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-before-'));
	const store = `sqlite:${join(folder, 'service.db')}`;
	const db = openServiceDatabase(store);
	await migrate(db, submissionMigrations.slice(0, 1), { component: 'service-submissions' });
	const values = sql`('before', 'open', ${web.url('a.test')}, 0, 1, null, null)`;
	await sql`insert into service_submission values ${values}`.execute(db);
	await db.destroy();
	service = await startService({ fetching: testSites(web.lookup, 'a.test'), store });
	// Submitted in 1970: it has expired, but it still gets its one try.
	expect(await ended('/v1/submissions/before')).toMatchObject({ url: web.url('a.test') });
	await service.close();
	service = await startService();
	rmSync(folder, { recursive: true });
});
