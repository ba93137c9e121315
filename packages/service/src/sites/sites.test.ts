import { type Clock, systemClock } from '@wayleave/crawler';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startDnsServer } from '../../../io/src/testing/dns-server.ts';
import { startTlsSites, type TlsSites } from '../registrar/testing/tls-sites.ts';
import { startService, type TestService } from '../testing/start-service.ts';

const domain = 'site.test';
const path = '/.well-known/aiwebindex-verify.txt';
const day = 24 * 60 * 60 * 1000;

/** Time that tests move; waits are real. */
class Shifted implements Clock {
	ahead = 0;
	now = () => systemClock.now() + this.ahead;
	sleep: Clock['sleep'] = (ms, signal) => systemClock.sleep(Math.min(ms, 50), signal);
}

let sites: TlsSites;
let dns: Awaited<ReturnType<typeof startDnsServer>>;
let zone: Record<string, { type: 'TXT'; name: string; data: string }[]>;
let service: TestService;
let clock: Shifted;

beforeAll(async () => {
	sites = await startTlsSites([domain, `www.${domain}`, 'other.test']);
	zone = {};
	dns = await startDnsServer(zone);
});
afterAll(async () => {
	await sites.close();
	await dns.close();
});
afterEach(async () => {
	await service.close();
	sites.pages.clear();
	sites.log.length = 0;
	for (const name of Object.keys(zone)) delete zone[name];
});

async function start(open = true) {
	clock = new Shifted();
	const { lookup, ca, port } = sites;
	const hosts = [domain, `www.${domain}`, 'other.test'];
	const fetching = { lookup, ca, privateHosts: hosts, ownSites: hosts, delay: 0 };
	const options = { open, publicUrl: 'https://index.test', fetching, resolvers: [dns.address], proofPort: port };
	service = await startService(options, { clock });
}

interface ShownSite {
	domain: string;
	status: string;
	token: string;
	method?: string;
	publish: { dns: { name: string; value: string }; file: { url: string; line: string } };
	last_check?: { dns: { failed: unknown[] } };
}

const register = async (token?: string, name = domain) => {
	const response = await service.post('/v1/sites', { domain: name }, token === undefined ? {} : { token });
	return { status: response.status, site: (await response.json()) as ShownSite };
};
const call = async (method: string, target: string, body?: unknown, token?: string) => {
	const init = { method, ...(token !== undefined && { token }) };
	const response = await (body === undefined
		? service.request(target, init)
		: service.request(target, {
				...init,
				body: JSON.stringify(body),
				headers: { 'content-type': 'application/json' },
			}));
	const text = await response.text();
	return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
};
const check = (name = domain, token?: string) => call('POST', `/v1/sites/${name}/check`, undefined, token);
const serveProof = ({ publish }: ShownSite) => sites.pages.set(`${domain}${path}`, publish.file.line);
const publishRecord = ({ publish: { dns: record } }: ShownSite) => {
	zone[`TXT ${record.name}`] = [{ type: 'TXT', name: record.name, data: record.value }];
};

describe('registering', () => {
	it('AWI-58 AWI-61 tells the owner exactly what to publish', async () => {
		await start();
		const { status, site } = await register();
		expect(status).toBe(201);
		expect(site).toMatchObject({
			domain,
			status: 'pending',
			publish: {
				dns: { name: `_aiwebindex-verify.${domain}`, type: 'TXT', value: `aiwi-verify=${site.token}` },
				file: { url: `https://${domain}${path}`, line: `aiwi-verify=${site.token}` },
			},
		});
	});

	it('AWI-76 each issuance gives a new token', async () => {
		await start();
		const tokens = [(await register()).site.token, (await register()).site.token];
		const rotated = await call('POST', `/v1/sites/${domain}/token`);
		expect(new Set([...tokens, rotated.body.token]).size).toBe(3);
	});

	it('refuses what is nobody’s own', async () => {
		await start();
		for (const name of ['co.uk', '127.0.0.1', 'not a name'])
			expect(await call('POST', '/v1/sites', { domain: name })).toMatchObject({
				status: 422,
				body: { code: 'domain-invalid' },
			});
	});

	it('a key sees its own domains alone, and needs the scope', async () => {
		await start(false);
		const [ada, bob, reader] = [
			await service.key(),
			await service.key(),
			await service.key({ scopes: ['documents:read'] }),
		];
		await register(ada);
		expect((await call('GET', '/v1/sites', undefined, ada)).body.sites).toHaveLength(1);
		expect((await call('GET', '/v1/sites', undefined, bob)).body.sites).toHaveLength(0);
		expect((await call('GET', `/v1/sites/${domain}`, undefined, bob)).body.code).toBe('site-unknown');
		expect((await call('GET', '/v1/sites', undefined, reader)).body.code).toBe('scope-missing');
	});
});

describe('the proof', () => {
	it('AWI-56 AWI-57 by file and by DNS', async () => {
		await start();
		const { site } = await register();
		expect((await check()).body.status).toBe('pending');
		serveProof(site);
		expect((await check()).body).toMatchObject({ status: 'verified', method: 'file' });
		sites.pages.clear();
		publishRecord(site);
		expect((await check()).body).toMatchObject({ status: 'verified', method: 'dns' });
	});

	it('AWI-77 the token of one domain does not prove another', async () => {
		await start();
		const { site } = await register();
		await register(undefined, 'other.test');
		sites.pages.set(`other.test${path}`, site.publish.file.line);
		expect((await check('other.test')).body.status).toBe('pending');
	});

	it('AWI-77 nor does the token of another key prove the domain for this one', async () => {
		await start(false);
		const [ada, bob] = [await service.key(), await service.key()];
		const { site } = await register(ada);
		await register(bob);
		serveProof(site);
		expect((await check(domain, bob)).body.status).toBe('pending');
		expect((await check(domain, ada)).body.status).toBe('verified');
	});

	it('AWI-03 the look names itself a verification, and differs from a crawl', async () => {
		await start();
		await register();
		await check();
		const userAgent = sites.log[0]?.userAgent;
		expect(userAgent).toBe('AIWebIndex/2.0 verification (+https://index.test/bot)');
	});

	it('a proof by the old token stands until the new one is found', async () => {
		await start();
		serveProof((await register()).site);
		await check();
		const { site } = await register();
		expect((await check()).body.status).toBe('verified');
		serveProof(site);
		expect((await check()).body).toMatchObject({ status: 'verified', token: site.token });
	});

	it('is looked for again after a month, and lapses when it has been missed three times', async () => {
		await start();
		serveProof((await register()).site);
		await check();
		sites.pages.clear();
		for (const status of ['verified', 'verified', 'lapsed']) {
			clock.ahead += 31 * day;
			expect((await check()).body.status).toBe(status);
		}
	});

	it('a server in trouble is no missed proof', async () => {
		await start();
		serveProof((await register()).site);
		await check();
		sites.pages.set(`${domain}${path}`, { status: 503 });
		for (let time = 0; time < 5; time++) {
			clock.ahead += 31 * day;
			expect((await check()).body.status).toBe('verified');
		}
	});
});

describe('rights of a verified owner', () => {
	const page = '<!doctype html><title>Tides</title><main><h1>Tides</h1><p>The water rises twice a day.</p></main>';
	const url = () => `https://${domain}:${sites.port}/tides`;
	const ask = () => call('POST', '/v1/aidocument', { url: url() });
	const serve = () => {
		sites.pages.set(`${domain}/tides`, page);
	};

	it('nothing before the proof', async () => {
		await start();
		await register();
		expect((await call('PATCH', `/v1/sites/${domain}`, { crawl: 'no' })).body.code).toBe('site-unproven');
		expect((await call('POST', `/v1/sites/${domain}/refresh`, { url: url() })).body.code).toBe('site-unproven');
	});

	it('refuse the whole site or paths of it: nothing is fetched or given out, and the answer says who said so', async () => {
		await start();
		serve();
		serveProof((await register()).site);
		await check();
		expect((await ask()).status).toBe(200);
		await call('PATCH', `/v1/sites/${domain}`, { disallow: ['/tid*'] });
		sites.log.length = 0;
		expect(await ask()).toMatchObject({
			status: 403,
			body: { code: 'owner-refused', evidence: [{ text: 'Disallow: /tid*', mechanism: 'operator' }] },
		});
		await call('PATCH', `/v1/sites/${domain}`, { crawl: 'no', disallow: [] });
		expect((await ask()).body.evidence).toMatchObject([{ text: 'crawl: no' }]);
		expect((await call('GET', `/v1/document?url=${encodeURIComponent(url())}`)).body.code).toBe('owner-refused');
		expect(sites.log).toEqual([]);
		await call('PATCH', `/v1/sites/${domain}`, { crawl: 'as-published' });
		expect((await ask()).status).toBe(200);
	});

	it('have a page fetched again', async () => {
		await start();
		serve();
		serveProof((await register()).site);
		await check();
		await ask();
		sites.pages.set(`${domain}/tides`, page.replace('twice', 'twice again'));
		const { body } = await call('POST', `/v1/sites/${domain}/refresh`, { url: url() });
		expect(body).toMatchObject({ outcome: 'fetched', fetched_at: expect.any(String) });
		expect((await ask()).body.content.markdown).toContain('twice again');
		expect((await call('POST', `/v1/sites/${domain}/refresh`, { url: 'https://other.test/' })).status).toBe(400);
	});

	it('see what was fetched and when, and have it removed', async () => {
		await start();
		serve();
		serveProof((await register()).site);
		await check();
		await ask();
		const target = `/v1/sites/${domain}/documents`;
		const { pages } = (await call('GET', target)).body;
		expect(pages).toEqual([
			{ url: url(), outcome: 'fetched', checked_at: expect.any(String), fetched_at: expect.any(String) },
		]);
		expect(
			(await call('DELETE', `${target}?url=${encodeURIComponent(`https://${domain}:${sites.port}/other`)}`)).body,
		).toEqual({
			removed: 0,
		});
		expect((await call('DELETE', `${target}?url=${encodeURIComponent(url())}`)).body).toEqual({ removed: 1 });
		expect((await call('GET', `/v1/document?url=${encodeURIComponent(url())}`)).body.code).toBe('not-cached');
		await ask();
		expect((await call('DELETE', target)).body).toEqual({ removed: 1 });
		expect((await call('GET', target)).body.pages[0].fetched_at).toBeUndefined();
	});

	it('give the domain up, with its preferences', async () => {
		await start();
		serve();
		serveProof((await register()).site);
		await check();
		await call('PATCH', `/v1/sites/${domain}`, { crawl: 'no' });
		expect((await call('DELETE', `/v1/sites/${domain}`)).status).toBe(204);
		expect((await ask()).status).toBe(200);
	});
});
