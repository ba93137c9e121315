import { createFetcher, fixedProxy } from '@wayleave/io/http';
import { openDatabase } from '@wayleave/io/sql';
import { parseDocument } from 'htmlparser2';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startForwardProxy } from '../../../io/src/testing/forward-proxy.ts';
import { interceptConnections } from '../../../io/src/testing/raw-sqlite.ts';
import { startTlsServer } from '../../../io/src/testing/tls-server.ts';
import type { CrawlOptions } from '../config/options.ts';
import { applyDiff } from '../diff/block-diff.ts';
import { differenceSince, versionsOf } from '../inspect/page-versions.ts';
import { storeView } from '../inspect/store-view.ts';
import type { NoticeEvent } from '../model/events.ts';
import { readPage } from '../read/read-page.ts';
import type { Store } from '../store/roles/store.ts';
import { openStore } from '../store/sql/open.ts';
import { startReceiver, type TestReceiver } from '../testing/receiver.ts';
import { simpleReader } from '../testing/simple-reader.ts';
import { plain, type Sites, useSites } from '../testing/sites.ts';
import { useStorePlaces } from '../testing/stores.ts';
import type { TestRequest } from '../testing/web.ts';
import { NoticeSender } from '../watch/sender.ts';
import { readSecret } from '../watch/webhook.ts';

const sites = useSites();
const { file, places } = useStorePlaces();
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const hour = 3600_000;
/** The clock of the sites; each test resets it. */
const clock = {
	now: () => sites.clock.now(),
	sleep: (ms: number, signal: AbortSignal) => sites.clock.sleep(ms, signal),
};
let receiver: TestReceiver;
let store: Store;
beforeEach(async () => {
	receiver = await startReceiver();
	store = await openStore(`sqlite:${file('crawl.db')}`, { clock });
});
afterEach(async () => {
	await store.close();
	await receiver.close();
});

/** A page whose text is `text`, and what its head says. */
const page = (text: string, head = '') => `<title>A</title>${head}<main><h1>A</h1>\n\n<p>${text}</p></main>`;

interface LivePages {
	a: Page;
	b?: Page;
	c?: Page;
	robots2?: Page;
}
type Page = NonNullable<Sites[string]>;

/** A site with one page, `live.a`, that tests replace; `robots2` likewise. */
async function serve(a: Page): Promise<LivePages> {
	const live: LivePages = { a };
	const entry = (name: keyof typeof live) => (request: TestRequest) => {
		const given = live[name];
		return (typeof given === 'function' ? given(request) : given) ?? 404;
	};
	await sites.serve({
		'h.test/a': entry('a'),
		'h.test/b': entry('b'),
		'h.test/c': entry('c'),
		'h.test/robots2.txt': entry('robots2'),
	});
	return live;
}

async function crawl(more: CrawlOptions = {}, seeds = ['h.test/a'], read = simpleReader) {
	sites.clock.advance(25 * hour);
	const watch = { receivers: [{ url: receiver.url, secret }] };
	return sites.crawl(seeds, { store, watch, sitemaps: false, ...more }, read);
}
const told = () => receiver.taken.map(({ data }) => `${data.kind} ${new URL(data.url).pathname}`);
const url = () => sites.url('h.test/a');

describe('a change', () => {
	it('is none if it is noise, and the next one applies to the document that was announced', async () => {
		const live = await serve(page('12 EUR.</p>\n\n<p>100 views'));
		const first = await crawl();
		live.a = page('12 EUR.</p>\n\n<p>250 views');
		await crawl();
		expect(told()).toEqual([]);
		live.a = page('14 EUR.</p>\n\n<p>300 views');
		const third = await crawl();
		expect(told()).toEqual(['changed /a']);
		const [before, after] = [first, third].map(({ results }) => results[0]?.document?.content.markdown ?? '');
		expect(applyDiff(receiver.taken[0]!.data.diff!, before!)).toBe(after);
		expect(before).toContain('100 views');
	});

	it('has no difference where the site does not allow storing, and nothing of it is stored', async () => {
		const live = await serve(page('12 EUR.</p>\n\n<p>100 views'));
		live.robots2 = plain('robots2: 1.0\nstore: no\n');
		await crawl();
		live.a = page('12 EUR.</p>\n\n<p>120 views');
		await crawl();
		expect(told()).toEqual([]);
		live.a = page('14 EUR.');
		await crawl();
		const { kind, diff, withheld } = receiver.taken[0]!.data;
		expect({ kind, diff, withheld }).toEqual({
			kind: 'changed',
			diff: undefined,
			withheld: 'the site does not allow its documents to be stored, so no difference was made',
		});
		expect((await versionsOf(store, url())).versions).toEqual([]);
	});

	it('loses its difference when the site no longer allows storing', async () => {
		const live = await serve(page('12 EUR.'));
		await crawl();
		receiver.answer = () => 503;
		live.a = page('14 EUR.');
		await crawl();
		live.robots2 = plain('robots2: 1.0\nstore: no\n');
		await crawl();
		const [terms, changed] = (await store.watch?.log({ limit: 9 })) ?? [];
		expect([terms?.kind, changed?.kind]).toEqual(['terms', 'changed']);
		expect(changed?.change.diff).toBeUndefined();
		expect(changed?.change.withheld).toContain('was removed');
	});

	it('is one only after a second request, if the page is not found; and none if it is back by then', async () => {
		const live = await serve(page('12 EUR.'));
		await crawl();
		let misses = 1;
		live.a = () => (misses-- > 0 ? 404 : page('12 EUR.'));
		await crawl();
		expect(told()).toEqual([]);
		live.a = 404;
		await crawl();
		expect(told()).toEqual(['gone /a']);
		live.a = page('12 EUR.');
		await crawl();
		expect(told()).toEqual(['gone /a', 'added /a']);
	});

	it('is a move if the page names another address as canonical', async () => {
		const text = Array.from({ length: 12 }, (_, at) => `In harbour ${at} the sea rises, and boats wait.`).join(' ');
		const live = await serve(page('Home of the harbours <a href="/b">b</a>'));
		live.b = page(text);
		await crawl({}, ['h.test/a'], readPage);
		live.b = page(text, `<link rel="canonical" href="${sites.url('h.test/c')}">`);
		live.c = page(text);
		await crawl({}, ['h.test/a'], readPage);
		expect(told()).toEqual(['moved /b']);
		expect(receiver.taken[0]?.data).toMatchObject({ by: 'canonical', movedTo: sites.url('h.test/c') });
	});

	it('leaves a redirect that leads to another page as gone, and says where to', async () => {
		const live = await serve(page('Home <a href="/b">b</a>'));
		live.b = page('A page of its own.');
		await crawl();
		live.b = { status: 301, headers: { Location: '/a' } };
		await crawl();
		expect(told()).toEqual(['gone /b']);
		expect(receiver.taken[0]?.data).toMatchObject({ reason: 'redirected', movedTo: url() });
		live.b = { status: 302, headers: { Location: '/a' } };
		await crawl();
		expect(told()).toHaveLength(1);
	});
});

describe('a receiver', () => {
	it('that is down loses nothing, and gets the changes of a page in order', async () => {
		const live = await serve(page('1 EUR.'));
		await crawl();
		receiver.answer = () => ({ status: 503, headers: { 'retry-after': '7' } });
		for (const price of [2, 3, 4]) {
			live.a = page(`${price} EUR.`);
			const { events } = await crawl();
			expect(events.findLast(({ type }) => type === 'notice')).toMatchObject({ state: 'left', waiting: price - 1 });
		}
		const asked = receiver.received.length;
		receiver.answer = () => 204;
		await crawl();
		expect(receiver.received.slice(asked).map(({ data }) => data.before?.version)).toEqual([1, 2, 3]);
		expect(await store.watch?.counts()).toMatchObject([{ waiting: 0, delivered: 3, kept: 0 }]);
		expect((await store.watch?.counts())?.[0]).not.toHaveProperty('detail');
	});

	it('that is gone (410) gets nothing more until it is tried again by hand', async () => {
		const live = await serve(page('1 EUR.'));
		await crawl();
		receiver.answer = () => 410;
		live.a = page('2 EUR.');
		const { events } = await crawl();
		expect(events).toContainEqual(expect.objectContaining({ type: 'notice', state: 'stopped' }));
		receiver.answer = () => 204;
		live.a = page('3 EUR.');
		const after = await crawl();
		expect(after.events).toContainEqual(expect.objectContaining({ type: 'notice', state: 'stopped' }));
		expect(told()).toEqual([]);
		await storeView(store).retryNotices();
		live.a = page('4 EUR.');
		await crawl();
		expect(receiver.taken.map(({ data }) => data.after?.version)).toEqual([2, 4]);
	});

	/** Sends what waits until an event has come. */
	async function sendUntil(state: NoticeEvent['state']): Promise<NoticeEvent[]> {
		const [record] = (await store.watch?.receivers([receiver.url])) ?? [];
		const events: NoticeEvent[] = [];
		const fetcher = createFetcher({ userAgent: 'AIWebIndex/2.0 (+https://example.com/bot)', allowPrivate: () => true });
		await new Promise<void>((resolve) => {
			const sender = new NoticeSender({
				watch: store.watch!,
				receiver: record!,
				key: readSecret(secret),
				fetcher,
				clock: sites.clock,
				isShared: false,
				emit(event) {
					if (event.type !== 'notice') return;
					events.push(event);
					if (event.state === state) void sender.stop().then(resolve);
				},
			});
			sender.start();
		});
		await fetcher.close();
		return events;
	}

	it('gets notices through the proxy of the crawl', async () => {
		const proxy = await startForwardProxy();
		onTestFinished(() => proxy.close());
		const throughProxy = fixedProxy(proxy.url, {});
		const { port } = new URL(receiver.url);
		const live = await serve(page('1 EUR.'));
		const options: CrawlOptions = { proxy: (target) => (target.port === port ? throughProxy(target) : undefined) };
		await crawl(options);
		live.a = page('2 EUR.');
		await crawl(options);
		expect(told()).toEqual(['changed /a']);
		expect(proxy.log).toEqual([`POST ${receiver.url}`]);
	});

	it('is trusted by the certificate authorities of the crawl, and by no others', async () => {
		const tls = await startTlsServer({ handlers: { '/x': (stream) => stream.respond({ ':status': 204 }) } });
		onTestFinished(() => tls.close());
		const live = await serve(page('1 EUR.'));
		const options: CrawlOptions = { watch: { receivers: [{ url: tls.url('/x'), secret }] }, lookup: tls.lookup };
		await crawl(options);
		live.a = page('2 EUR.');
		const { events } = await crawl(options);
		expect(events).toContainEqual(
			expect.objectContaining({ state: 'waiting', detail: expect.stringContaining('certificate') }),
		);
		sites.clock.advance(hour);
		await crawl({ ...options, ca: tls.ca });
		expect(tls.received.map((headers) => headers[':method'])).toEqual(['POST']);
		expect(await store.watch?.counts()).toMatchObject([{ waiting: 0, delivered: 1 }]);
	});

	it('that redirects gets nothing at the other address; the notice waits, and the crawl says why', async () => {
		const live = await serve(page('1 EUR.'));
		await crawl();
		live.a = page('2 EUR.');
		receiver.answer = () => ({ status: 308, headers: { location: '/elsewhere' } });
		const { events } = await crawl();
		const detail = expect.stringContaining('308, to /elsewhere: pass the address that it redirects to');
		expect(events).toContainEqual(expect.objectContaining({ type: 'notice', state: 'waiting', detail }));
		expect(receiver.received).toHaveLength(1);
		receiver.answer = () => 204;
		await crawl();
		expect(told()).toEqual(['changed /a']);
	});

	it('that rejects a notice gets it six times; then it is kept, and later ones of the page wait behind it', async () => {
		const live = await serve(page('1 EUR.'));
		await crawl();
		receiver.answer = () => 503;
		for (const price of [2, 3]) {
			live.a = page(`${price} EUR.`);
			await crawl();
		}
		receiver.answer = () => 422;
		const asked = receiver.received.length;
		const attempts = (await store.watch?.log({ limit: 9 }))?.at(-1)?.notices[0]?.attempts ?? 0;
		const events = await sendUntil('kept');
		expect(events.at(-1)).toMatchObject({ state: 'kept', status: 422, url: url() });
		expect(receiver.received.length - asked + attempts).toBe(6);
		expect(await store.watch?.counts()).toMatchObject([{ waiting: 1, kept: 1, delivered: 0 }]);
		receiver.answer = () => 204;
		await crawl();
		expect(told()).toEqual([]);
		expect(await storeView(store).retryNotices()).toBe(1);
		await crawl();
		expect(receiver.taken.map(({ data }) => data.after?.version)).toEqual([2, 3]);
	});

	it('that asks for a pause gets it, and the same notice, with the same id, afterwards', async () => {
		const live = await serve(page('1 EUR.'));
		await crawl();
		live.a = page('2 EUR.');
		receiver.answer = () => ({ status: 429, headers: { 'retry-after': '600' } });
		await crawl();
		let times = 0;
		receiver.answer = () => (times++ === 0 ? { status: 429, headers: { 'retry-after': '600' } } : 204);
		const before = sites.clock.now();
		await sendUntil('delivered');
		expect(sites.clock.now() - before).toBeGreaterThanOrEqual(600_000);
		expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
	});
});

describe('the store of a watched crawl', () => {
	it('keeps as many earlier versions as wanted, for differences since a version or a date', async () => {
		const live = await serve(page('1 EUR.'));
		for (const price of [1, 2, 3, 4, 5]) {
			live.a = page(`${price} EUR.`);
			await crawl({ watch: { history: 2 } });
		}
		const { versions } = await versionsOf(store, url());
		expect(versions.map(({ version }) => version)).toEqual([5, 4, 3]);
		const found = await versionsOf(store, url());
		const since = differenceSince(found, { version: 3 });
		expect(typeof since === 'string' ? since : applyDiff(since.diff, since.before.markdown)).toBe(
			versions[0]?.markdown,
		);
		const dated = differenceSince(found, { at: (versions[1]?.fetchedAt ?? 0) + hour });
		expect(typeof dated === 'string' ? dated : dated.before.version).toBe(4);
		expect(differenceSince(found, { version: 1 })).toMatch(
			/^the store has no version of this page from then: the oldest is/,
		);
		expect(await store.prune({ before: versions[1]!.fetchedAt })).toMatchObject({ versions: 1 });
		expect((await versionsOf(store, url())).versions.map(({ version }) => version)).toEqual([5, 4]);
	});

	it('forgets versions, changes and notices with the page', async () => {
		const live = await serve(page('1 EUR.'));
		await crawl();
		receiver.answer = () => 503;
		live.a = page('2 EUR.');
		await crawl();
		await store.forget({ url: url() });
		expect((await versionsOf(store, url())).versions).toEqual([]);
		expect(await store.watch?.log({ limit: 9 })).toEqual([]);
		expect(await store.watch?.counts()).toMatchObject([{ waiting: 0 }]);
	});

	it('compares with documents of a crawl that did not watch', async () => {
		const live = await serve(page('1 EUR.'));
		await crawl({ watch: undefined } as never);
		live.a = page('2 EUR.');
		await crawl();
		expect(told()).toEqual(['changed /a']);
	});

	it('is not touched by a crawl that does not watch: no statement names its tables, no row is in them', async () => {
		await store.close();
		const statements: string[] = [];
		const restore = interceptConnections((connection) => ({
			prepare(text) {
				statements.push(text);
				return connection.prepare(text);
			},
			close: () => connection.close(),
		}));
		try {
			const live = await serve(page('1 EUR.'));
			store = await openStore(`sqlite:${file('plain.db')}`);
			statements.length = 0;
			for (const price of [1, 2]) {
				live.a = page(`${price} EUR.`);
				await crawl({ watch: undefined } as never);
			}
		} finally {
			restore();
		}
		expect(statements.length).toBeGreaterThan(20);
		const tables = ['watched', 'watched_terms', 'page_version', 'page_change', 'receiver', 'notice'];
		expect(statements.filter((text) => new RegExp(`\\b(?:${tables.join('|')})\\b`).test(text))).toEqual([]);
		const db = openDatabase<never>(`sqlite:${file('plain.db')}`);
		for (const table of tables) {
			const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
			expect([table, rows[0]?.count]).toEqual([table, 0]);
		}
		await db.destroy();
	});

	it('gives a valid Atom feed, whose ids stay (RFC 4287)', async () => {
		const live = await serve(page('1 & <b>2</b> EUR.'));
		await crawl();
		live.a = page('3 &lt; 4 \u0001 EUR.');
		await crawl();
		live.a = 410;
		await crawl();
		const feed = await storeView(store).feed(10);
		expect(atomProblems(feed)).toEqual([]);
		expect(feed.match(/<id>/g)).toHaveLength(3);
		expect(await storeView(store).feed(10)).toBe(feed);
		expect(atomProblems(feed.replace('<updated>', '<updated>no'))).not.toEqual([]);
		expect(atomProblems(feed.replace(/<id>urn[^<]*/g, '<id>urn:uuid:1'))).toContain('two entries have one id');
	});
});

/** The elements that RFC 4287 §4.1 requires in a feed, and in entries whose content is text. */
function atomProblems(feed: string): string[] {
	const problems: string[] = [];
	if (/&(?!(?:amp|lt|gt|quot|apos|#\d+);)|[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/.test(feed))
		problems.push('not well-formed');
	const root = parseDocument(feed, { xmlMode: true }).children.find((node) => node.type === 'tag');
	type Element = NonNullable<typeof root>;
	const under = (parent: Element, name: string) =>
		('children' in parent ? parent.children : []).filter(
			(node): node is Element => 'name' in node && node.name === name,
		);
	const text = (element: Element | undefined): string =>
		element === undefined || !('children' in element)
			? ''
			: element.children.map((node) => ('data' in node ? node.data : '')).join('');
	if (root === undefined || !('attribs' in root) || root.attribs.xmlns !== 'http://www.w3.org/2005/Atom')
		return ['no feed'];
	if (under(root, 'author').length === 0) problems.push('no author');
	const entries = under(root, 'entry');
	for (const each of [root, ...entries]) {
		for (const name of ['id', 'title', 'updated']) if (under(each, name).length !== 1) problems.push(`not one ${name}`);
		if (!/^urn:uuid:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text(under(each, 'id')[0]))) problems.push('no id');
		if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text(under(each, 'updated')[0])))
			problems.push('no date');
	}
	const ids = entries.map((entry) => text(under(entry, 'id')[0]));
	if (new Set(ids).size < ids.length) problems.push('two entries have one id');
	return problems;
}

it('PostgreSQL: of two workers each notice is sent by one', async () => {
	const place = await places.PostgreSQL();
	const [one, other] = [await openStore(place), await openStore(place)];
	try {
		const live = await serve(page('1 EUR. <a href="/b">b</a>'));
		live.b = page('1 EUR.');
		receiver.answer = () => 503;
		const watch = { receivers: [{ url: receiver.url, secret }] };
		const round = () => sites.crawl(['h.test/a'], { store: one, watch, sitemaps: false });
		await round();
		live.a = page('2 EUR. <a href="/b">b</a>');
		live.b = page('2 EUR.');
		sites.clock.advance(hour);
		await round();
		const [record] = (await one.watch?.receivers([receiver.url])) ?? [];
		await one.watch?.setReceiver({ ...record!, wait: 0 });
		const claimed = await Promise.all([one, other].map((each) => each.watch?.claim(record!.id, 4, 60_000)));
		const ids = claimed.flatMap((each) => each?.map(({ id }) => id) ?? []);
		expect(ids).toHaveLength(2);
		expect(new Set(ids).size).toBe(2);
		expect(await other.watch?.claim(record!.id, 4, 60_000)).toEqual([]);
	} finally {
		await one.close();
		await other.close();
	}
});
