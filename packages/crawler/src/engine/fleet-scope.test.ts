import { createFetcher, type Fetcher } from '@wayleave/io';
import { expect, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { openStore } from '../store/open.ts';
import { simpleReader } from '../testing/simple-reader.ts';
import { htmlPage, startWeb } from '../testing/web.ts';
import { crawlWith } from './crawl.ts';
import { Signal } from './signal.ts';

it('a worker that began before a seed was redirected visits what lies where that has led', async () => {
	const web = await startWeb(({ path }) => {
		if (path === '/old/') return { status: 302, headers: { Location: '/new/' } };
		return path.startsWith('/new/') ? htmlPage(path, ['/new/1', '/new/2']) : undefined;
	});
	const fetcher = createFetcher({
		userAgent: 'AIWebIndex/2.0 (+https://bot.test/; Testbot)',
		lookup: web.lookup,
		allowPrivate: () => true,
	});
	const place = await newDatabase();
	const stores = [await openStore(place), await openStore(place)] as const;
	const options = { scope: 'prefix', delay: 0, ownSites: ['h.test'], sitemaps: false } as const;
	const stop = new AbortController();
	const asks = new Signal();
	const begins = new Signal();
	const waits: Fetcher = {
		...fetcher,
		async get(url, more) {
			asks.notify();
			await begins.after(0);
			return fetcher.get(url, more);
		},
	};
	const more = { store: stores[0], fetcher: waits, signal: stop.signal };
	const first = crawlWith(simpleReader, [web.url('h.test', '/old/')], { ...options, ...more });
	first.on('host', ({ change }) => change === 'in-scope' && stop.abort());
	const firstEnds = first.run();
	await asks.after(0);
	const second = crawlWith(simpleReader, [web.url('h.test', '/old/')], { ...options, store: stores[1], fetcher });
	second.on('start', () => begins.notify());
	const { rows } = await second.run();
	await firstEnds;
	expect(rows.filter(({ outcome }) => outcome === 'out-of-scope')).toEqual([]);
	expect(web.paths('h.test').filter((path) => path.startsWith('/new/'))).toEqual(['/new/', '/new/1', '/new/2']);
	for (const each of stores) await each.close();
	await fetcher.close();
	await web.close();
});
