import { createFetcher } from '@wayleave/io/http';
import { afterEach, expect, it } from 'vitest';
import { htmlPage, startWeb, type TestWeb } from '../testing/web.ts';
import { mayBePrivate } from './private-seeds.ts';

let web: TestWeb | undefined;
afterEach(() => web?.close());

it('a seed on a private network may be reached there, other hosts may not', () => {
	const allow = mayBePrivate(['http://intranet.corp/a', 'http://10.0.0.1:8080/']);
	expect(allow('intranet.corp', ['10.1.2.3'])).toBe(true);
	expect(allow('10.0.0.1', ['10.0.0.1'])).toBe(true);
	expect(allow('other.corp', ['10.1.2.3'])).toBe(false);
});

it('a seed that was public is not followed to a private address, however often it changes', () => {
	const allow = mayBePrivate(['https://site.example/']);
	expect(allow('site.example', ['93.184.216.34', '10.0.0.1'])).toBe(false);
	expect(allow('site.example', ['10.0.0.1'])).toBe(false);
	expect(allow('site.example', ['169.254.169.254'])).toBe(false);
});

it('a name that is rebound is refused, and nothing is requested there', async () => {
	web = await startWeb(() => htmlPage('Secret'));
	const url = web.url('rebound.test');
	const allowPrivate = mayBePrivate([url]);
	allowPrivate('rebound.test', ['93.184.216.34']);
	const userAgent = 'AIWebIndex/2.0 (+https://bot.test/; Testbot)';
	const fetcher = createFetcher({ userAgent, allowPrivate, lookup: web.lookup });
	expect(await fetcher.get(url)).toMatchObject({ ok: false, reason: 'private-address' });
	await fetcher.close();
	expect(web.log).toEqual([]);
});
