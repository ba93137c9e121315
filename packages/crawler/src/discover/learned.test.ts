import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { openStoreView } from '../inspect/store-view.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { useStorePlaces } from '../testing/stores.ts';
import {
	canonicalTag,
	crawlWaste,
	type Serve,
	startWasteSite,
	type WasteSite,
	wastePage,
	words,
} from '../testing/waste-site.ts';

let site: WasteSite | undefined;
afterEach(() => site?.close());
const start = async (serve: Serve): Promise<WasteSite> => {
	site = await startWasteSite(serve);
	return site;
};
const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, at) => at + from);

/** Twenty pages; each links eight others, and names itself in each link. */
function referring(canonical: boolean, count = 20): Serve {
	return (path) => {
		const [bare = ''] = path.split('?');
		const page = bare === '/' ? 0 : Number(/^\/p\/(\d+)$/.exec(bare)?.[1] ?? Number.NaN);
		if (!(page < count)) return undefined;
		const links = numbers(8).map((step) => `/p/${((page + step - 1) % (count - 1)) + 1}?ref=p${page}`);
		return wastePage(`page ${page}`, links, { head: canonical ? canonicalTag(bare) : '' });
	};
}

it('C2-01 a page that names its canonical address is fetched once, whatever parameter its links carry', async () => {
	const { asked } = await start(referring(true));
	const { documents, ends, details } = await crawlWaste(site!);
	expect(asked.length).toBeLessThanOrEqual(50);
	expect([...documents].sort()).toEqual(['/', ...numbers(19).map((page) => `/p/${page}`)].sort());
	expect(ends['/p/5?ref=p0']).toBe('out-of-scope alias');
	expect(details['/p/5?ref=p0']).toMatch(/^\/p\/5 \(/);
});

it('C2-03 print views end as aliases of their canonical articles', async () => {
	const articles = numbers(10);
	const { asked } = await start((path) => {
		if (path === '/')
			return wastePage(
				'front',
				articles.map((each) => `/a/${each}`),
			);
		const [, article, print] = /^\/a\/(\d+)(\/print)?$/.exec(path) ?? [];
		if (article === undefined) return undefined;
		const links = print === undefined ? [`/a/${article}/print`] : [];
		return wastePage(`article ${article}`, links, { head: canonicalTag(`/a/${article}`) });
	});
	const { documents, ends, details } = await crawlWaste(site!);
	expect(asked.length).toBeLessThanOrEqual(22);
	expect(documents).toHaveLength(11);
	expect(ends['/a/4/print']).toBe('out-of-scope alias');
	expect(details['/a/4/print']).toMatch(/^\/a\/4 \(/);
});

it('C2-10 a site that sends one page for every address ends, and emits the page once', async () => {
	const { asked } = await start(() => wastePage('shell', ['docs/', 'about/', 'help/']));
	const { documents } = await crawlWaste(site!, { maxPages: 300 });
	expect(asked.length).toBeLessThanOrEqual(40);
	expect(documents.length).toBeLessThanOrEqual(2);
});

it('C2-11 the same if the page repeats the requested address', async () => {
	const { asked } = await start((path) =>
		wastePage('shell', ['news/', 'team/', 'prices/', 'contact/'], { text: `<p>You have asked for ${path}.</p>` }),
	);
	await crawlWaste(site!, { maxPages: 300 });
	expect(asked.length).toBeLessThanOrEqual(60);
});

it('C2-11 the same if extraction keeps the repeated address only on some pages', async () => {
	// At the root of a site, extraction keeps a lone line before the text; elsewhere it may drop it.
	const { asked } = await start((path) => {
		const page = wastePage('shell', ['news/', 'team/', 'prices/', 'contact/']);
		const echo = `<p>${path.length % 3 === 1 ? `Nothing is at ${path}, a clerk will look for it.` : ''}</p>`;
		return page.replace('</h1>', `</h1>${echo}`);
	});
	await crawlWaste(site!, { maxPages: 300 });
	expect(asked.length).toBeLessThanOrEqual(60);
});

it('C2-12 real pages next to one page for all other addresses', async () => {
	const menu = ['boats/', 'ropes/', 'sails/'];
	const items = numbers(9).map((each) => `/item/${each}`);
	const { asked } = await start((path) => {
		if (path === '/') return wastePage('front', [...menu, ...items]);
		return wastePage(items.includes(path) ? path : 'Welcome', menu);
	});
	const { documents, ends } = await crawlWaste(site!, { maxPages: 300 });
	expect(documents.filter((path) => items.includes(path))).toHaveLength(9);
	expect(asked.length).toBeLessThanOrEqual(70);
	expect(Object.values(ends)).toContain('out-of-scope soft-404');
});

it('C2-13 a real tree of relative links is crawled in full', async () => {
	await start((path) => {
		const level = path.split('/').length - 2;
		if (!/^\/(?:(?:north|south|west)\/){0,3}$/.test(path)) return undefined;
		return wastePage(path, level < 3 ? ['north/', 'south/', 'west/'] : []);
	});
	expect((await crawlWaste(site!)).documents).toHaveLength(40);
});

const digits = (count: number, radix = 16) =>
	Array.from({ length: count }, () => Math.floor(Math.random() * radix).toString(radix)).join('');

it('C2-20 a new session in each link costs nothing', async () => {
	const { asked } = await start((path) => {
		const [bare = ''] = path.split('?');
		const page = bare === '/' ? 0 : Number(/^\/p\/(\d+)$/.exec(bare)?.[1] ?? Number.NaN);
		if (!(page < 120)) return undefined;
		const links = numbers(6).map((step) => `/p/${((page * 6 + step - 1) % 119) + 1}?PHPSESSID=${digits(32)}`);
		return wastePage(`page ${page}`, links);
	});
	await crawlWaste(site!, { maxPages: 1000 });
	expect(asked.length).toBeLessThanOrEqual(360);
	expect(new Set(asked.map((path) => path.split('?')[0])).size).toBe(120);
});

it('C2-21 a new session in each path', async () => {
	const { asked } = await start((path) => {
		const at = (page: number) => `/(S(${digits(24, 36)}))/p/${page}`;
		if (path === '/') return { to: at(0) };
		const [, number] = /^\/\(S\([\da-z]{24}\)\)\/p\/(\d+)$/.exec(path) ?? [];
		if (number === undefined || Number(number) >= 25) return undefined;
		return wastePage(
			`page ${number}`,
			numbers(5).map((step) => at((Number(number) * 5 + step) % 25)),
		);
	});
	const { ends } = await crawlWaste(site!, { maxPages: 400 });
	expect(asked.length).toBeLessThanOrEqual(150);
	expect(new Set(asked.map((path) => path.split('/p/')[1])).size).toBe(26);
	expect(Object.values(ends)).toContain('out-of-scope alias');
});

it('C2-22 a link to itself with a number that never repeats', async () => {
	let drawn = 1_700_000_000_000;
	const { asked } = await start((path) => {
		const [bare = ''] = path.split('?');
		const page = bare === '/' ? 0 : Number(/^\/p\/(\d+)$/.exec(bare)?.[1] ?? Number.NaN);
		if (!(page < 30)) return undefined;
		drawn += 7919;
		const next = numbers(3).map((step) => `/p/${((page * 3 + step - 1) % 29) + 1}`);
		return wastePage(`page ${page}`, [...next, `${bare}?t=${drawn}`]);
	});
	const { ends } = await crawlWaste(site!, { maxPages: 400 });
	expect(asked.length).toBeLessThanOrEqual(120);
	expect(numbers(29).every((page) => ends[`/p/${page}`] === 'fetched')).toBe(true);
});

it('C2-23 an address inside an address is followed once', async () => {
	const { asked } = await start((path, { headers }) => {
		const [bare = ''] = path.split('?');
		const page = bare === '/' ? 0 : Number(/^\/p\/(\d+)$/.exec(bare)?.[1] ?? Number.NaN);
		if (!(page < 12) && bare !== '/login') return undefined;
		const login = `/login?next=${encodeURIComponent(`http://${headers.host}${path}`)}`;
		const links = bare === '/login' ? [login] : [`/p/${(page % 11) + 1}`, login];
		return wastePage(bare, links);
	});
	const { ends } = await crawlWaste(site!, { maxPages: 400 });
	expect(asked.filter((path) => path.startsWith('/login')).length).toBeLessThanOrEqual(40);
	expect(numbers(11).every((page) => ends[`/p/${page}`] === 'fetched')).toBe(true);
});

it('C2-24 each set of tags is requested once, in any order', async () => {
	const tags = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
	const { asked } = await start((path) => {
		if (path === '/')
			return wastePage(
				'front',
				tags.map((tag) => `/tag/${tag}`),
			);
		if (/^\/p\/[1-9]$/.test(path)) return wastePage(path, []);
		const [, list] = /^\/tag\/([a-h](?:\+[a-h])*)$/.exec(path) ?? [];
		if (list === undefined) return undefined;
		const others = tags.filter((tag) => !list.split('+').includes(tag)).map((tag) => `/tag/${list}+${tag}`);
		return wastePage(path, [...numbers(9).map((page) => `/p/${page}`), ...others]);
	});
	const { ends } = await crawlWaste(site!, { maxPages: 600 });
	expect(asked.filter((path) => path.startsWith('/tag/')).length).toBeLessThanOrEqual(255);
	expect(
		[...numbers(9).map((page) => `/p/${page}`), ...tags.map((tag) => `/tag/${tag}`)].filter(
			(path) => ends[path] !== 'fetched',
		),
	).toEqual([]);
});

it('C2-01 a parameter of a path segment is learned like one of the query', async () => {
	const site = await start((path) => {
		const [bare = ''] = path.split(';');
		const page = bare === '/' ? 0 : Number(/^\/p\/(\d+)$/.exec(bare)?.[1] ?? Number.NaN);
		if (!(page < 20)) return undefined;
		const links = numbers(8).map((step) => `/p/${((page + step - 1) % 19) + 1};ref=p${page}`);
		return wastePage(`page ${page}`, links, { head: canonicalTag(bare) });
	});
	const { documents } = await crawlWaste(site);
	expect(site.asked.length).toBeLessThanOrEqual(50);
	expect(documents).toHaveLength(20);
});

it('C2-21 a session after a prefix in the path ends, and all pages are read', async () => {
	const session = () => `/s-${Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join('')}`;
	const site = await start((path) => {
		if (path === '/') return { to: `${session()}/p/0` };
		const page = Number(/^\/s-[\da-f]{32}\/p\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
		if (!(page < 25)) return undefined;
		return wastePage(
			`page ${page}`,
			numbers(5).map((step) => `${session()}/p/${(page * 5 + step) % 25}`),
		);
	});
	const { documents } = await crawlWaste(site, { maxPages: 400 });
	expect(site.asked.length).toBeLessThanOrEqual(150);
	expect(new Set(documents.map((path) => path.replace(/^.*\/p\//, ''))).size).toBe(25);
});

it('C2-22 weeks without events end by themselves, however a week is written', async () => {
	const site = await start((path) => {
		const [, year, week] = /^\/agenda\/(\d{4})-w(\d\d)$/.exec(path) ?? [];
		const page = path === '/' ? 0 : Number(/^\/p\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
		if (page < 15) return wastePage(`page ${page}`, [...numbers(14).map((each) => `/p/${each}`), '/agenda/2026-w48']);
		if (year === undefined || week === undefined) return undefined;
		const link = (step: number) => {
			const at = Number(year) * 52 + Number(week) - 1 + step;
			return `/agenda/${Math.floor(at / 52)}-w${String((at % 52) + 1).padStart(2, '0')}`;
		};
		const links = [link(-1), link(1)].map((each) => `<a href="${each}">x</a>`).join(' ');
		return `<title>Week ${week} of ${year}</title><main><p>No events in this week.</p>${links}</main>`;
	});
	const { documents } = await crawlWaste(site, { maxPages: 400 });
	expect(documents.filter((path) => !path.startsWith('/agenda'))).toHaveLength(15);
	expect(site.asked.length).toBeLessThanOrEqual(160);
});

/** Locations of stores that several processes can open. */
const { places } = useStorePlaces();

it.each(Object.entries(places))(
	'C2-01 in %s what was learned holds in the next run, and a refresh asks for pages only',
	async (_, place) => {
		const { asked } = await start(referring(true));
		const url = await place();
		await crawlWaste(site!, { store: url, maxPages: 10 });
		const first = asked.length;
		await crawlWaste(site!, { store: url });
		expect(asked.length).toBeLessThanOrEqual(first + 12);
		asked.length = 0;
		const { documents } = await crawlWaste(site!, { store: url, refresh: true });
		expect(asked).toHaveLength(20);
		expect(documents).toHaveLength(20);
		const view = await openStoreView(url);
		expect((await view.learned()).hosts).toMatchObject([{ host: '127.0.0.1', idle: [{ part: '?ref' }] }]);
		await view.close();
	},
	// Three crawls, each with a commit for every visit: on a busy computer a database takes its time.
	240_000,
);

it('C2-01 two addresses of a page that a slow store compares at once are not each an alias of the other', async () => {
	await start(referring(true));
	for (const slowness of [3, 5, 7]) {
		const store = memoryStore();
		let comparisons = 0;
		const pages: typeof store.pages = {
			...store.pages,
			async comparable(names, urls) {
				const found = await store.pages.comparable(names, urls);
				await sleep((comparisons++ * slowness) % 11);
				return found;
			},
		};
		const first = await crawlWaste(site!, { store: { ...store, pages }, maxPages: 10 });
		const second = await crawlWaste(site!, { store: { ...store, pages } });
		const read = [...first.documents, ...second.documents].map((path) => path.split('?')[0]);
		expect(new Set(read).size).toBe(20);
	}
});

it('a wrong belief is corrected by the one in fifty addresses that is still visited', async () => {
	const count = 120;
	await start((path) => {
		const { pathname, searchParams } = new URL(path, 'http://h.test');
		if (pathname === '/')
			return wastePage(
				'front',
				numbers(count).flatMap((page) => [`/p/${page}`, `/p/${page}?x=a${page}`]),
			);
		const page = Number(/^\/p\/(\d+)$/.exec(pathname)?.[1] ?? Number.NaN);
		if (!(page <= count)) return undefined;
		return wastePage(pathname + (page > 40 ? (searchParams.get('x') ?? '') : ''), []);
	});
	const { documents } = await crawlWaste(site!);
	expect(documents.filter((path) => /\?x=a(?:4[1-9]|[5-9]\d|1\d\d)$/.test(path))).toHaveLength(80);
});

it('two pages that name each other, a missing page, and one on another host are not aliases', async () => {
	await start((path) => {
		if (path === '/') return wastePage('front', ['/ring/a', '/ring/b', '/lost', '/away']);
		if (path === '/ring/a') return wastePage('ring', [], { head: canonicalTag('/ring/b') });
		if (path === '/ring/b') return wastePage('ring', [], { head: canonicalTag('/ring/a'), text: '<p>b</p>' });
		if (path === '/lost') return wastePage('lost', [], { head: canonicalTag('/nowhere') });
		return path === '/away' ? wastePage('away', [], { head: canonicalTag('http://other.test/') }) : undefined;
	});
	const { documents } = await crawlWaste(site!);
	expect([...documents].sort()).toEqual(['/', '/away', '/lost', '/ring/a', '/ring/b']);
});

it('a short page is an alias of its canonical page if both have the same text', async () => {
	const { asked } = await start((path) => {
		const [bare = ''] = path.split('?');
		if (bare === '/')
			return `<title>T</title><p>Front.</p>${numbers(6)
				.map((page) => `<a href="/s/${page}?from=top">s</a>`)
				.join('')}`;
		const [, page] = /^\/s\/(\d)$/.exec(bare) ?? [];
		const links = numbers(6)
			.map((each) => `<a href="/s/${each}?from=s${page}">s</a>`)
			.join('');
		return page === undefined
			? undefined
			: `<title>S${page}</title>${canonicalTag(bare)}<main><p>Short ${page}.</p></main>${links}`;
	});
	const { documents } = await crawlWaste(site!);
	expect([...documents].sort()).toEqual(['/', ...numbers(6).map((page) => `/s/${page}`)]);
	expect(asked.length).toBeLessThanOrEqual(13);
});

it.each([
	['few words', () => '<title>App</title><h1>App</h1><p>Loading.</p>'],
	['few words and the address', (path: string) => `<title>App</title><h1>App</h1><p>There is no ${path} here.</p>`],
	[
		'a number of the request',
		() => `<title>App</title><h1>App</h1><p>${words('app', 80)} Request ${digits(6, 10)}.</p>`,
	],
	['a clock', () => `<title>App</title><h1>App</h1><p>${words('app', 80)} It is ${new Date().toISOString()}.</p>`],
])('a shell of %s ends by itself', async (_, body) => {
	const { asked } = await start(
		(path) => `${body(path)}${['docs/', 'about/', 'help/'].map((link) => `<a href="${link}">${link}</a>`).join(' ')}`,
	);
	await crawlWaste(site!, { maxPages: 300 });
	expect(asked.length).toBeLessThanOrEqual(40);
});

it('folders that only list their files are read', async () => {
	const index = (path: string, names: readonly string[]) =>
		`<title>Index of ${path}</title><h1>Index of ${path}</h1><ul>${names.map((name) => `<li><a href="${name}">${name}</a></li>`).join('')}</ul>`;
	await start((path) => {
		const level = path.split('/').length - 2;
		if (path.endsWith('.html')) return wastePage(path, []);
		const folders = level < 2 ? numbers(3).map((each) => `dir-${level}-${path.length}-${each}/`) : [];
		return path.endsWith('/') ? index(path, [...folders, `file-${path.length}-${level}.html`]) : undefined;
	});
	const { documents } = await crawlWaste(site!);
	expect(documents.filter((path) => path.endsWith('/'))).toHaveLength(13);
	expect(documents.filter((path) => path.endsWith('.html'))).toHaveLength(13);
});
