import { describe, expect, it } from 'vitest';
import { openStore } from '../store/sql/open.ts';
import { plain, type Sites, useSites } from '../testing/sites.ts';
import { htmlPage, type TestAnswer, type TestRequest } from '../testing/web.ts';

const sites = useSites();
const hour = 3600_000;
const asked = (directive: string) => `h.test/.well-known/robots2-ask?directive=${directive}&agent=Wayleave/0.1.0`;
const say = (decision: string, headers: TestAnswer['headers'] = {}): TestAnswer => ({
	headers: { 'X-Robots2-Decision': decision, ...headers },
});

function site(policy: string, answers: Record<string, Sites[string]>): Sites {
	return {
		'h.test/': htmlPage('Zebra', ['/docs/x', '/blog/y', '/blogroll']),
		'h.test/docs/x': htmlPage('Giraffe'),
		'h.test/blog/y': htmlPage('Okapi'),
		'h.test/blogroll': htmlPage('Rolls'),
		'h.test/robots2.txt': plain(`${policy}\n`),
		...Object.fromEntries(Object.entries(answers).map(([directive, answer]) => [asked(directive), answer])),
	};
}
const asks = () => sites.web.log.filter(({ path }) => path.startsWith('/.well-known/robots2-ask'));
const order = () =>
	sites.web.log
		.filter(({ path }) => !/^\/(?:(?:robots2?|sitemap|llms)\.|\.well-known\/pagedigest)/.test(path))
		.map(({ method, path }) => `${method} ${path.replace(/&agent.*/, '')}`);

it('R2-40 R2-41 R2-42 R2-50 the site is asked before any content, and once for all of it', async () => {
	await sites.serve(site('read: ask', { read: say('allow') }));
	const { ends, events, results } = await sites.crawl(['h.test/']);
	expect(Object.values(ends)).toEqual(['fetched', 'fetched', 'fetched', 'fetched']);
	expect(order()[0]).toBe('HEAD /.well-known/robots2-ask?directive=read');
	expect(asks()).toMatchObject([
		{ method: 'HEAD', path: asked('read').slice('h.test'.length), headers: { 'x-agent-identity': expect.any(String) } },
	]);
	expect(asks()[0]?.headers['x-agent-identity']).toBe('Wayleave/0.1.0 (ai-assistant)');
	expect(events.filter(({ type }) => type === 'ask')).toMatchObject([{ directive: 'read', decision: 'allow' }]);
	expect(results[0]?.policy).toMatchObject({
		uses: { read: 'allow' },
		because: [{ text: 'read: ask' }, { mechanism: 'ask', text: 'X-Robots2-Decision: allow' }],
	});
});

it('AMB-08 an ask waits for the turn of the host like any other request', async () => {
	await sites.serve(site('crawl: ask\nread: ask\nrate: 6', { crawl: say('allow'), read: say('allow') }));
	await sites.crawl(['h.test/'], { maxPages: 2 });
	expect(asks()).toHaveLength(2);
	// robots.txt, robots2.txt, then 10 seconds between all that follows.
	expect(Math.min(...sites.gaps('h.test').slice(1))).toBeGreaterThanOrEqual(10_000);
});

it.each([
	['R2-44', 'deny', say('deny'), 'ask-denied'],
	['R2-44 R2-52', 'a 404', 404, 'ask-no-endpoint'],
	['R2-52', 'a 405', 405, 'ask-no-endpoint'],
	['R2-44', 'no decision', 200, 'ask-unreadable'],
	['R2-44', 'maybe', say('maybe'), 'ask-unreadable'],
	['R2-44', 'a 500', 500, 'ask-unreadable'],
	['R2-44', 'no answer at all', { reset: true }, 'ask-unreadable'],
	['AMB-59', 'a redirect', { status: 302, headers: { Location: '/yes' } }, 'ask-unreadable'],
])('%s %s is a no, and the refusal names it', async (_, __, answer, reason) => {
	await sites.serve(site('crawl: ask', { crawl: answer as Sites[string] }));
	const { results } = await sites.crawl(['h.test/', 'h.test/docs/x']);
	expect(results).toMatchObject(
		['line', 'answer'].map(() => ({
			outcome: 'refused',
			reason,
			evidence: [
				{ source: sites.url('h.test/robots2.txt'), line: 1, text: 'crawl: ask' },
				{ mechanism: 'ask', source: sites.url(asked('crawl')) },
			],
		})),
	);
	expect(new Set(order())).toEqual(new Set(['HEAD /.well-known/robots2-ask?directive=crawl']));
	expect(asks().filter(({ times }) => times > 0).length).toBeLessThanOrEqual(answer instanceof Object ? 1 : 0);
});

it('nothing is asked for where something else forbids, where nothing is said, or by who does not want to', async () => {
	await sites.serve({ ...site('read: ask\ncrawl: no', { read: say('allow') }), 'i.test/': htmlPage('I') });
	expect((await sites.crawl(['h.test/', 'i.test/'])).ends).toEqual({
		'h.test/': 'refused robots2-crawl-no',
		'i.test/': 'fetched',
	});
	await sites.serve(site('read: ask\nUser-agent: *\nDisallow: /', { read: say('allow') }));
	expect((await sites.crawl(['h.test/'])).ends).toEqual({ 'h.test/': 'refused robots2-disallow' });
	expect(asks()).toEqual([]);
	await sites.serve(site('read: ask', { read: say('allow') }));
	expect((await sites.crawl(['h.test/'], { ask: 'never' })).ends).toEqual({ 'h.test/': 'refused robots2-ask' });
	expect(asks()).toEqual([]);
});

it('R2-51 a permission stays inside its scopes, and nothing is asked again outside of them', async () => {
	const scopes = { 'X-Robots2-Scope': ['/blog/*', '/'] };
	await sites.serve(site('read: ask', { read: say('allow', scopes) }));
	const { ends } = await sites.crawl(['h.test/']);
	expect(ends).toEqual({
		'h.test/': 'fetched',
		'h.test/blog/y': 'fetched',
		'h.test/docs/x': 'refused ask-out-of-scope',
		'h.test/blogroll': 'refused ask-out-of-scope',
	});
	expect(asks()).toHaveLength(1);
});

it('R2-45 429 with Retry-After: the action waits, and the ask is repeated later', async () => {
	const answer = ({ times }: TestRequest) =>
		times === 0 ? { status: 429, headers: { 'Retry-After': '5' } } : say('allow');
	await sites.serve(site('read: ask', { read: answer }));
	expect((await sites.crawl(['h.test/'], { maxPages: 1 })).ends['h.test/']).toBe('fetched');
	const [first, second] = asks();
	expect(second!.at - first!.at).toBeGreaterThanOrEqual(5000);
	expect(order().slice(0, 3)).toEqual([...Array(2).fill('HEAD /.well-known/robots2-ask?directive=read'), 'GET /']);
});

it('R2-45 a site that always replies "not now" is deferred as a whole to a later run', async () => {
	await sites.serve(site('read: ask', { read: { status: 503, headers: { 'Retry-After': '7' } } }));
	const { ends } = await sites.crawl(['h.test/', 'h.test/docs/x']);
	expect(ends['h.test/']).toBe('deferred ask-later');
	expect(asks()).toHaveLength(3);
	expect(order()).toHaveLength(3);
});

describe('answers that are kept', () => {
	it('R2-47 an allow is used for a day at most, in other runs too', async () => {
		await sites.serve(site('read: ask', { read: say('allow') }));
		const store = await openStore('memory');
		const visit = (path: string) => sites.fetch(`h.test${path}`, { store });
		await visit('/');
		sites.clock.advance(23 * hour);
		await visit('/docs/x');
		expect(asks()).toHaveLength(1);
		sites.clock.advance(2 * hour);
		await visit('/blog/y');
		expect(asks()).toHaveLength(2);
		await store.close();
	});

	it('AMB-57 for less than a day where the answer says so', async () => {
		await sites.serve(site('read: ask', { read: say('allow', { 'Cache-Control': 'private, max-age=60' }) }));
		const store = await openStore('memory');
		await sites.fetch('h.test/', { store });
		sites.clock.advance(61_000);
		await sites.fetch('h.test/docs/x', { store });
		expect(asks()).toHaveLength(2);
		await store.close();
	});

	it('AMB-55 a refusal for an hour', async () => {
		await sites.serve(site('read: ask', { read: ({ times }) => say(times === 0 ? 'deny' : 'allow') }));
		const store = await openStore('memory');
		expect((await sites.fetch('h.test/', { store })).reason).toBe('ask-denied');
		sites.clock.advance(hour - 10_000);
		expect((await sites.fetch('h.test/docs/x', { store })).reason).toBe('ask-denied');
		sites.clock.advance(10_000);
		expect((await sites.fetch('h.test/blog/y', { store })).outcome).toBe('fetched');
		expect(asks()).toHaveLength(2);
		await store.close();
	});

	it('for one identity only', async () => {
		await sites.serve(site('read: ask', { read: say('allow') }));
		const store = await openStore('memory');
		await sites.fetch('h.test/', { store });
		await sites.fetch('h.test/docs/x', { store, identity: { category: 'ai-researcher' } });
		expect(asks().map(({ headers }) => headers['x-agent-identity'])).toEqual([
			'Wayleave/0.1.0 (ai-assistant)',
			'Wayleave/0.1.0 (ai-researcher)',
		]);
		await store.close();
	});
});

describe('allow-once', () => {
	it('R2-48 AMB-56 is asked for again for each URL, whatever a cache might keep', async () => {
		await sites.serve(site('read: ask', { read: say('allow-once', { 'Cache-Control': 'public, max-age=86400' }) }));
		const { ends, results } = await sites.crawl(['h.test/']);
		expect(new Set(Object.values(ends))).toEqual(new Set(['fetched']));
		expect(order().filter((line) => line.startsWith('GET'))).toHaveLength(4);
		expect(asks()).toHaveLength(4);
		expect(results[0]?.policy).toMatchObject({ uses: { read: 'limited' }, limits: { once: true } });
	});

	it('AMB-56 is not shared between visits at a time', async () => {
		await sites.serve(site('read: ask', { read: say('allow-once') }));
		const more = { delay: 0, ownSites: ['h.test'], concurrency: 4 };
		await sites.crawl(['h.test/docs/x', 'h.test/blog/y', 'h.test/blogroll'], more);
		expect(asks()).toHaveLength(3);
		expect(order().filter((line) => line.startsWith('GET'))).toHaveLength(3);
	});

	it('AMB-56 is spent by a try that fails', async () => {
		const page = ({ times }: TestRequest) => (times === 0 ? 500 : htmlPage('Giraffe'));
		await sites.serve({ ...site('read: ask', { read: say('allow-once') }), 'h.test/docs/x': page });
		expect((await sites.crawl(['h.test/docs/x'])).ends).toEqual({ 'h.test/docs/x': 'fetched' });
		expect(asks()).toHaveLength(2);
	});

	it('AMB-56 does not let a later crawl, which cannot ask, give again what the first one has brought', async () => {
		let down = false;
		await sites.serve({
			...site('read: ask', { read: say('allow-once') }),
			'h.test/robots.txt': () => (down ? 503 : 404),
		});
		const store = await openStore('memory');
		const given = async () => {
			const all: string[] = [];
			for await (const results of store.pages.results({ outcomes: true }))
				for (const { document, policy, outcome } of results) all.push(`${outcome} ${document && policy && 'document'}`);
			return all.slice(0, 4);
		};
		const { results } = await sites.crawl(['h.test/'], { store });
		expect(results.map(({ document }) => document !== undefined)).toEqual([true, true, true, true]);
		expect(await given()).toEqual(Array(4).fill('fetched document'));
		down = true;
		sites.clock.advance(48 * hour);
		const second = await sites.crawl(['h.test/'], { store });
		expect(second.results.map(({ outcome, document }) => [outcome, document])).not.toContainEqual([
			'deferred',
			expect.anything(),
		]);
		expect(second.summary.totals.deferred).toBe(4);
		expect(await given()).toEqual(Array(4).fill('deferred undefined'));
		await store.close();
	});

	it('AMB-56 does not let a stored copy be read again', async () => {
		await sites.serve(site('read: ask', { read: say('allow-once') }));
		const store = await openStore('memory');
		for (let time = 0; time < 2; time++) await sites.fetch('h.test/', { store });
		expect(order().filter((line) => line.startsWith('GET'))).toHaveLength(2);
		expect(asks()).toHaveLength(2);
		await store.close();
	});
});

it('several visits that want to ask the same share the answer', async () => {
	await sites.serve(site('read: ask', { read: say('allow') }));
	const more = { delay: 0, ownSites: ['h.test'], concurrency: 4 };
	await sites.crawl(['h.test/docs/x', 'h.test/blog/y', 'h.test/blogroll'], more);
	expect(asks()).toHaveLength(1);
});

it('AMB-54 an answer for one directive is none for another', async () => {
	await sites.serve(site('crawl: ask\nread: ask', { crawl: say('allow'), read: say('deny') }));
	const { results } = await sites.crawl(['h.test/']);
	expect(results).toMatchObject([{ outcome: 'refused', reason: 'ask-denied', detail: 'use: read' }]);
	expect(asks()).toHaveLength(2);
	expect(sites.web.paths('h.test')).not.toContain('/');
});
