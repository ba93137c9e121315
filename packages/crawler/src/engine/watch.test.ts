import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CrawlOptions } from '../config/options.ts';
import { applyDiff } from '../diff/block-diff.ts';
import type { Store } from '../store/roles/store.ts';
import { openStore } from '../store/sql/open.ts';
import { startReceiver, type TestReceiver } from '../testing/receiver.ts';
import { plain, type Sites, useSites } from '../testing/sites.ts';
import { useStorePlaces } from '../testing/stores.ts';
import { htmlPage } from '../testing/web.ts';

const sites = useSites();
const { places } = useStorePlaces();
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const hour = 3600_000;
let receiver: TestReceiver;
beforeEach(async () => {
	receiver = await startReceiver();
});
afterEach(() => receiver.close());

const page = (title: string, text: string, links: readonly string[] = []) =>
	htmlPage(title, links).replace('</main>', `<p>${text}</p></main>`);

/** A site of which tests change entries between crawls. */
async function serveSite(entries: Sites): Promise<Sites> {
	const live: Sites = { ...entries };
	const all = new Set([...Object.keys(entries), 'h.test/new', 'h.test/newer', 'h.test/robots.txt']);
	await sites.serve(
		Object.fromEntries(
			[...all].map((key) => [
				key,
				(request) => {
					const entry = live[key];
					return (typeof entry === 'function' ? entry(request) : entry) ?? 404;
				},
			]),
		),
	);
	return live;
}

const start: Sites = {
	'h.test/': page('Home', 'Welcome.', ['/a', '/b']),
	'h.test/a': page('A', 'It costs 12 EUR.'),
	'h.test/b': page('B', 'Nothing here.'),
};

describe.each(Object.entries(places))('a watch with %s', (_, place) => {
	let store: Store;
	beforeEach(async () => {
		store = await openStore(await place());
	});
	afterEach(() => store.close());

	async function crawl(more: CrawlOptions = {}) {
		sites.clock.advance(hour);
		const watch = { receivers: [{ url: receiver.url, secret }] };
		return sites.crawl(['h.test/'], { store, watch, ...more });
	}
	const told = () => receiver.taken.map(({ data }) => `${data.kind} ${new URL(data.url).pathname}`);

	it('tells nothing of the first crawl, nor of one that finds nothing new', async () => {
		await serveSite(start);
		await crawl();
		await crawl();
		expect(receiver.received).toEqual([]);
	});

	it('tells of a change with a difference that leads from the old document to the new one', async () => {
		const live = await serveSite(start);
		const first = await crawl();
		live['h.test/a'] = page('A', 'It costs 14 EUR.');
		const second = await crawl();
		const markdownOf = ({ results }: typeof first) =>
			results.find(({ url }) => url.endsWith('/a'))?.document?.content.markdown ?? '';
		expect(told()).toEqual(['changed /a']);
		const { diff, before, after } = receiver.taken[0]!.data;
		expect(applyDiff(diff!, markdownOf(first))).toBe(markdownOf(second));
		expect([before?.version, after?.version]).toEqual([1, 2]);
		expect(second.events.filter(({ type }) => type === 'change' || type === 'notice')).toMatchObject([
			{ type: 'change', kind: 'changed' },
			{ type: 'notice', state: 'delivered', status: 204 },
		]);
	});

	it('tells of pages that are added, gone and moved, and of terms, each once', async () => {
		const live = await serveSite(start);
		await crawl();
		live['h.test/'] = page('Home', 'Welcome.', ['/new', '/newer', '/a', '/b']);
		live['h.test/new'] = page('A', 'It costs 12 EUR.');
		live['h.test/newer'] = page('Newer', 'A page of its own.');
		live['h.test/a'] = { status: 301, headers: { Location: '/new' } };
		live['h.test/b'] = 404;
		await crawl();
		expect(told().sort()).toEqual(['added /newer', 'changed /', 'gone /b', 'moved /a']);
		const moved = receiver.taken.find(({ data }) => data.kind === 'moved')!.data;
		expect(moved).toMatchObject({ movedTo: sites.url('h.test/new'), by: 'redirect' });
		live['h.test/robots.txt'] = plain('User-agent: *\nDisallow: /newer\n');
		// The policy file is good for a day.
		sites.clock.advance(24 * hour);
		await crawl();
		expect(told().slice(4)).toEqual(['terms /newer']);
		expect(receiver.taken[4]!.data.terms).toMatchObject({
			before: { permitted: true },
			after: { permitted: false, reason: 'robots-disallow' },
		});
		await crawl();
		expect(told()).toHaveLength(5);
	});
});
