import { type Clock, systemClock } from '@wayleave/crawler';
import { generateSigningKey, keyDirectoryPath, parseKeyDirectory } from '@wayleave/io/signatures';
import { compileRanges, parseRanges } from '@wayleave/protocols/jafar';
import { matchRobots, parseRobots } from '@wayleave/protocols/robots';
import { afterEach, expect, it } from 'vitest';
import { startWeb } from '../../../crawler/src/testing/web.ts';
import type { ServiceOptions } from '../config/config.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';

let service: TestService | undefined;
afterEach(async () => {
	await service?.close();
	service = undefined;
});

const words = '<!doctype html><title>A</title><main><p>Some words here.</p></main>';
const day = 24 * 60 * 60 * 1000;
const start = async (options: ServiceOptions = {}, clock: Clock = systemClock) => {
	service = await startService({ publicUrl: 'https://index.test', ...options }, { clock });
	return service;
};
const read = async (path: string, headers: Record<string, string> = {}) => {
	const response = await service!.request(path, { headers });
	return { status: response.status, headers: response.headers, text: await response.text() };
};

it('the page about the crawler says who, how to recognise it and how to keep it away, as text that cannot break out', async () => {
	await start({ operator: '<b>Tide & Co</b>', contact: 'crawler@index.test', egress: ['203.0.113.0/28'] });
	const { text, headers } = await read('/bot');
	expect(headers.get('content-security-policy')).toContain("default-src 'none'");
	expect(text).toContain('&#60;b&#62;Tide &#38; Co&#60;/b&#62;');
	expect(text).toContain('href="mailto:crawler@index.test"');
	expect(text).toContain('AIWebIndex/2.0 (+https://index.test/bot; Wayleave)');
	expect(text).toContain('AIWebIndex/2.0 verification (+https://index.test/bot)');
	expect(text).toContain('User-agent: AIWebIndex');
	expect(text).toContain('Requests are not signed');
});

it('AWI-02 the User-Agent of the service leads to its page, which answers', async () => {
	const web = await startWeb(({ path }) => (path === '/' ? words : undefined));
	await start({ fetching: testSites(web.lookup, 'a.test') });
	await service!.post('/v1/aidocument', { url: web.url('a.test', '/') });
	const agents = new Set(web.log.map(({ headers }) => headers['user-agent']));
	await web.close();
	expect([...agents]).toEqual(['AIWebIndex/2.0 (+https://index.test/bot; Wayleave)']);
	expect((await read('/bot')).status).toBe(200);
});

it('JAF-12 the page of the User-Agent says where the list is, and the list is there', async () => {
	await start({ egress: ['203.0.113.0/28', '2001:db8::/48', '198.51.100.7'] });
	expect((await read('/bot')).text).toContain('https://index.test/bot/ip-ranges.json');
	const { text, headers } = await read('/bot/ip-ranges.json');
	expect(headers.get('content-type')).toBe('application/json');
	const { value, problems } = parseRanges(text);
	expect(problems).toEqual([]);
	const ranges = compileRanges([value!]);
	expect(
		['203.0.113.9', '2001:db8::1', '198.51.100.7', '198.51.100.8'].map((ip) => ranges.lookup(ip).length > 0),
	).toEqual([true, true, true, false]);
});

it('JAF-13 the list is made anew every day, with the same synctoken while the ranges stay', async () => {
	let ahead = 0;
	const clock: Clock = { now: () => systemClock.now() + ahead, sleep: systemClock.sleep };
	await start({ egress: ['203.0.113.0/28'] }, clock);
	const list = async () => parseRanges((await read('/bot/ip-ranges.json')).text).value!;
	const first = await list();
	ahead = day;
	const second = await list();
	expect(Date.parse(second.creationTime!)).toBeGreaterThan(Date.parse(first.creationTime!));
	expect(second.synctoken).toBe(first.synctoken);
	await service!.close();
	await start({ egress: ['203.0.113.0/28', '192.0.2.1'] }, clock);
	expect((await list()).synctoken).not.toBe(first.synctoken);
});

it('JAF-19 the list comes with a lifetime and an entity tag, and is not sent twice', async () => {
	await start({ egress: ['203.0.113.0/28'] });
	const { headers } = await read('/bot/ip-ranges.json');
	expect(headers.get('cache-control')).toMatch(/max-age=\d+/);
	const again = await read('/bot/ip-ranges.json', { 'if-none-match': headers.get('etag')! });
	expect([again.status, again.text]).toEqual([304, '']);
	expect((await read('/bot/ip-ranges.json', { 'if-none-match': '"old"' })).status).toBe(200);
});

it('without addresses there is no list, and the page says so', async () => {
	await start();
	expect((await read('/bot/ip-ranges.json')).status).toBe(404);
	expect((await read('/bot')).text).toContain('has not published its addresses');
});

it('an address that is none ends the start with its name', async () => {
	await expect(start({ egress: ['203.0.113.0/28', '203.0.113.1/24'] })).rejects.toThrow('203.0.113.1/24');
});

it('with a key the directory has its public half, which is sent with each request', async () => {
	const web = await startWeb(({ path }) => (path === '/' ? words : undefined));
	const signingKey = generateSigningKey();
	await start({ fetching: { ...testSites(web.lookup, 'a.test'), identity: { signingKey } } });
	const { text } = await read(keyDirectoryPath);
	const [keyId] = [...parseKeyDirectory(text).keys()];
	await service!.post('/v1/aidocument', { url: web.url('a.test', '/') });
	const { headers } = web.log.at(-1)!;
	await web.close();
	expect(headers['signature-input']).toContain(keyId);
	expect(headers['signature-agent']).toContain('https://index.test');
});

it('crawlers may read what is public here, and nothing else', async () => {
	await start();
	const { value } = parseRobots((await read('/robots.txt')).text);
	const may = (path: string) => matchRobots(value, 'Anybot', `https://index.test${path}`).allowed;
	expect(['/bot', '/bot/ip-ranges.json', '/register', '/llms.txt', '/'].map(may)).toEqual([
		true,
		true,
		true,
		true,
		true,
	]);
	expect(['/v1/document?url=x', '/metrics'].map(may)).toEqual([false, false]);
	expect((await read('/llms.txt')).text).toContain('https://index.test/openapi.json');
});
