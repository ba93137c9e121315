import { openDatabase } from '@wayleave/io/sql';
import { afterEach, describe, expect, it } from 'vitest';
import { startWeb } from '../../../crawler/src/testing/web.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';
import { KeyStore } from './key-store.ts';
import { Limits } from './limits.ts';
import { formatToken, hashSecret, isOneOf, newKeyId, newSecret, parseToken } from './token.ts';

const day = 24 * 60 * 60 * 1000;
let service: TestService;
/** Only the test moves it. */
const clock = {
	time: Date.UTC(2026, 10, 28, 12),
	now: () => clock.time,
	advance: (ms: number) => {
		clock.time += ms;
	},
	sleep: (_: number, signal: AbortSignal) =>
		new Promise<void>((wake) => signal.addEventListener('abort', () => wake(), { once: true })),
};
afterEach(() => service?.close());

const start = async () => {
	service = await startService({ open: false }, { clock });
};
const stored = async (token?: string) => {
	const init = token === undefined ? {} : { token };
	const response = await service.request('/v1/document?url=http://a.test/', init);
	return { status: response.status, code: (await response.json()).code, headers: response.headers };
};

describe('tokens', () => {
	it('have 256 random bits, and are read as they are written', () => {
		const secrets = Array.from({ length: 1000 }, newSecret);
		expect(new Set(secrets).size).toBe(1000);
		expect(secrets.every((secret) => Buffer.from(secret, 'base64url').length === 32)).toBe(true);
		const token = { id: '0123456789', secret: secrets[0]! };
		expect(parseToken(formatToken(token))).toEqual(token);
		for (const text of ['', 'wl_', 'wl_0123456789_short', `${formatToken(token)}x`])
			expect(parseToken(text)).toBeUndefined();
	});

	it('are one of several, or none', () => {
		const [one, two] = [newSecret(), newSecret()];
		expect(isOneOf(one, [hashSecret(two), hashSecret(one)])).toBe(true);
		expect(isOneOf(one, [hashSecret(two)])).toBe(false);
		expect(isOneOf(one, [])).toBe(false);
	});

	it('are not in the database', async () => {
		const db = openDatabase<{ api_secret: { hash: string }; api_key: object }>('sqlite::memory:');
		const { token } = await (await KeyStore.open(db as never)).create({ name: 'x', scopes: [] });
		const all = JSON.stringify([
			await db.selectFrom('api_secret').selectAll().execute(),
			await db.selectFrom('api_key').selectAll().execute(),
		]);
		expect(all).not.toContain(parseToken(token)!.secret);
		expect(all).toContain(hashSecret(parseToken(token)!.secret));
		await db.destroy();
	});
});

describe('access', () => {
	it('without a key, with a wrong one, with one of another id', async () => {
		await start();
		expect(await stored()).toMatchObject({ status: 401, code: 'key-missing' });
		const right = await service.key();
		expect(await stored(right)).toMatchObject({ status: 404, code: 'not-cached' });
		const { id, secret } = parseToken(right)!;
		for (const token of ['x', formatToken({ id, secret: newSecret() }), formatToken({ id: newKeyId(), secret })]) {
			const { status, code, headers } = await stored(token);
			expect([status, code]).toEqual([401, 'key-invalid']);
			expect(headers.get('www-authenticate')).toContain('invalid_token');
		}
	});

	it('a key is good for its scopes', async () => {
		await start();
		const token = await service.key({ scopes: ['documents:read'] });
		expect((await stored(token)).status).toBe(404);
		const response = await service.post('/v1/aidocument', { url: 'http://a.test/' }, { token });
		expect([response.status, (await response.json()).code]).toEqual([403, 'scope-missing']);
		expect((await service.request('/metrics', { token })).status).toBe(403);
	});

	it('a key expires', async () => {
		await start();
		const token = await service.key({ expiresAt: clock.now() + day });
		expect((await stored(token)).status).toBe(404);
		clock.advance(day);
		expect(await stored(token)).toMatchObject({ status: 401, code: 'key-expired' });
	});

	it('a key is revoked', async () => {
		await start();
		const token = await service.key();
		expect((await stored(token)).status).toBe(404);
		const { id } = parseToken(token)!;
		expect(await service.service.keys.revoke(id)).toBe(true);
		expect(await service.service.keys.revoke(id)).toBe(false);
		expect(await service.service.keys.rotate(id, day)).toBeUndefined();
		clock.advance(5000);
		expect(await stored(token)).toMatchObject({ status: 401, code: 'key-invalid' });
	});

	it('a key gets a new secret, and the old one is good for a while', async () => {
		await start();
		const before = await service.key();
		const after = (await service.service.keys.rotate(parseToken(before)!.id, day))!;
		expect(parseToken(after)!.id).toBe(parseToken(before)!.id);
		for (const token of [before, after]) expect((await stored(token)).status).toBe(404);
		clock.advance(day);
		expect(await stored(before)).toMatchObject({ status: 401, code: 'key-invalid' });
		expect((await stored(after)).status).toBe(404);
	});
});

describe('limits', () => {
	it('requests per minute: what is left is told, and when there is more', async () => {
		await start();
		const token = await service.key({ rate: 3 });
		const answers = [];
		for (let request = 0; request < 4; request++) answers.push(await stored(token));
		expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 429]);
		expect(answers[0]!.headers.get('ratelimit')).toBe('"minute";r=2;t=0');
		expect(answers[0]!.headers.get('ratelimit-policy')).toBe('"minute";q=3;w=60');
		expect(Number(answers[3]!.headers.get('retry-after'))).toBe(20);
		clock.advance(20_000);
		expect((await stored(token)).status).toBe(404);
		expect((await stored(token)).status).toBe(429);
	});

	it('documents per day: a batch that does not fit is refused as a whole, another day is another count', async () => {
		const web = await startWeb(({ path }) => (path.endsWith('.txt') ? { status: 404 } : '<p>Words of a page.</p>'));
		service = await startService({ open: false, fetching: testSites(web.lookup, 'a.test') }, { clock });
		const token = await service.key({ quota: 3 });
		const batch = async (count: number) => {
			const urls = Array.from({ length: count }, (_, page) => web.url('a.test', `/${page}`));
			const response = await service.post('/v1/aidocuments', { urls }, { token });
			await response.text();
			return response;
		};
		expect((await batch(4)).status).toBe(429);
		expect((await batch(2)).status).toBe(200);
		const refused = await batch(2);
		expect(refused.status).toBe(429);
		expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(day / 1000);
		expect((await batch(1)).status).toBe(200);
		clock.advance(day);
		expect((await batch(3)).status).toBe(200);
		await web.close();
	});

	it('stores the use of a key, and adds that of other processes, which never exceed the quota together', async () => {
		const db = openDatabase<unknown>('sqlite::memory:');
		const keys = await KeyStore.open(db, () => clock.now());
		const caller = { id: 'k', scopes: new Set<never>(), quota: 100 };
		const [one, other] = [new Limits(keys, () => clock.now()), new Limits(keys, () => clock.now())];
		const count = async (limits: Limits, documents: number) => {
			const reservation = await limits.reserve(caller, documents);
			for (let each = 0; each < documents; each++) reservation.keep();
		};
		await count(one, 40);
		await count(other, 58);
		// Spare documents of `one` are not those of `other`, until they are given back.
		await expect(other.reserve(caller, 3)).rejects.toMatchObject({ code: 'quota-exceeded' });
		await one.save();
		await other.save();
		const last = await other.reserve(caller, 2);
		await expect(one.reserve(caller, 1)).rejects.toMatchObject({ code: 'quota-exceeded' });
		last.refund();
		last.keep();
		await other.save();
		await count(one, 1);
		await expect(one.reserve(caller, 1)).rejects.toMatchObject({ code: 'quota-exceeded' });
		expect(await keys.addUsage('k', new Date(clock.now()).toISOString().slice(0, 10), 0)).toBe(100);
		await db.destroy();
	});
});
