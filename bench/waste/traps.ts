import { canonicalTag, drawn, page, parse, phrase, type Site, short, upTo, words } from './site.ts';

/** Pages of each host besides its endless space. */
const size = Number(process.env.WASTE_PAGES ?? 100);

const names = upTo(size - 1).map((number) => `/p/${number}`);

/** The front page and the others, each of which links five; `links` adds the way into the endless space. */
function host(
	name: string,
	links: (path: string, at: string) => readonly string[],
	rest: Site['serve'] = () => undefined,
	rewrite = (link: string) => link,
): Site {
	return {
		name,
		says: ['/', ...names].map((each) => phrase(`${name} ${each}`)),
		serve(path) {
			const { at } = parse(path);
			const number = at === '/' ? 0 : names.indexOf(at) + 1;
			if (at !== '/' && number === 0) return rest(path);
			const next = upTo(5).map((step) => rewrite(names[(number * 5 + step - 1) % names.length] ?? '/'));
			return page(`${name} ${at}`, [...next, ...links(path, at)]);
		},
	};
}

const month = (path: string, step: number): string => {
	const [, year = 2026, number = 11] = /(\d{4})[/-](\d{1,2})/.exec(path) ?? [];
	const at = Number(year) * 12 + Number(number) - 1 + step;
	return `${Math.floor(at / 12)}/${String((at % 12) + 1).padStart(2, '0')}`;
};
const day = (date: string, step: number): string =>
	new Date(Date.parse(date) + step * 86_400_000).toISOString().slice(0, 10);

const tags = ['red', 'green', 'blue', 'small', 'large', 'new', 'used', 'sale'];
const shell = (text: string, links: readonly string[]) => short('Welcome', `${words('shell', 120)}. ${text}`, links);

/** A session id as the first path segment. */
function sessionPath(): Site {
	const name = 'a session in each path';
	const inner = host(
		name,
		() => [],
		undefined,
		(link) => `/(S(${drawn(24)}))${link}`,
	);
	return {
		...inner,
		serve(path) {
			if (path === '/') return { to: `/(S(${drawn(24)}))/` };
			const [, rest] = /^\/\(S\([\da-z]{24}\)\)(\/.*)$/.exec(path) ?? [];
			return rest === undefined ? undefined : inner.serve(rest);
		},
	};
}

/** Fourteen hosts, each with a different kind of endless space. */
export const traps: readonly Site[] = [
	host(
		'a session in each query',
		() => [],
		undefined,
		(link) => `${link}?PHPSESSID=${drawn(26)}`,
	),
	host(
		'a session under a name of its own',
		() => [],
		undefined,
		(link) => `${link}?ticket=${drawn(20)}`,
	),
	sessionPath(),
	host(
		'a session behind a semicolon',
		() => [],
		undefined,
		(link) => `${link};jsessionid=${drawn(24)}`,
	),
	host('a number that never repeats', (_, at) => [`${at}?t=${1_700_000_000_000 + Math.floor(Math.random() * 1e9)}`]),
	host(
		'a login that comes back',
		(path) => [`/login?next=${encodeURIComponent(path)}`],
		(path) =>
			path.startsWith('/login')
				? short('Log in', words('login', 70), [`/login?next=${encodeURIComponent(path)}`])
				: undefined,
	),
	host(
		'a calendar of months',
		() => ['/calendar/2026/11'],
		(path) =>
			path.startsWith('/calendar/')
				? short(`Month ${path.slice(10)}`, 'No events in this month.', [
						`/calendar/${month(path, 1)}`,
						`/calendar/${month(path, -1)}`,
					])
				: undefined,
	),
	host(
		'a calendar of days',
		() => ['/events?date=2026-11-30'],
		(path) => {
			const { at, query } = parse(path);
			const date = query.get('date') ?? '';
			return at === '/events'
				? short(date, 'Nothing on this day.', [`/events?date=${day(date, 1)}`, `/events?date=${day(date, -1)}`])
				: undefined;
		},
	),
	host(
		'sets of tags in any order',
		() => tags.map((tag) => `/tag/${tag}`),
		(path) => {
			const [, list] = /^\/tag\/([a-z+]+)$/.exec(path) ?? [];
			if (list === undefined) return undefined;
			const others = tags.filter((tag) => !list.split('+').includes(tag)).map((tag) => `/tag/${list}+${tag}`);
			return short(`Tagged ${list}`, 'These pages have the tag.', [...names.slice(0, 8), ...others]);
		},
	),
	host(
		'filters in any order',
		() => ['/shop'],
		(path) => {
			const { at, query } = parse(path);
			if (at !== '/shop') return undefined;
			const more = ['colour', 'size', 'brand', 'sort'].flatMap((name) =>
				query.has(name)
					? []
					: ['a', 'b', 'c'].map(
							(value) => `/shop?${[...query, [name, value]].map((pair) => pair.join('=')).join('&')}`,
						),
			);
			return short('Shop', 'What there is.', [...names.slice(0, 8), ...more]);
		},
	),
	host(
		'one page for every address',
		() => ['docs/', 'help/', 'about/'],
		(path) => shell(`You have asked for ${path}.`, ['docs/', 'help/', 'about/']),
	),
	host(
		'the shell of an application',
		() => ['inbox/', 'sent/'],
		() => shell('', ['inbox/', 'sent/', 'drafts/']),
	),
	host(
		'random names',
		() => [`/r/${drawn(16)}`],
		(path) =>
			path.startsWith('/r/')
				? short(
						'Lucky page',
						words('lucky', 80),
						[1, 2, 3].map(() => `/r/${drawn(16)}`),
					)
				: undefined,
	),
	host(
		'a list that has no last page',
		() => ['/list?page=1'],
		(path) => {
			const { at, query } = parse(path);
			const number = Number(query.get('page'));
			return at === '/list'
				? short('All pages', 'Pages of this site.', [
						...names.slice((number - 1) * 10, number * 10),
						`/list?page=${number + 1}`,
					])
				: undefined;
		},
	),
];

const hundred = upTo(99).map((number) => `/p/${number}`);

/** A hundred pages; each of their 31 links names the page it is on. */
export const parameterSite = (canonical: boolean): Site => {
	const name = canonical ? '?ref= on each link, with canonical links' : '?ref= on each link, nothing said';
	return {
		name,
		says: ['/', ...hundred].map((each) => phrase(`${name} ${each}`)),
		serve(path) {
			const { at } = parse(path);
			const number = at === '/' ? 0 : hundred.indexOf(at) + 1;
			if (at !== '/' && number === 0) return undefined;
			const links = upTo(31).map((step) => `${hundred[(number * 7 + step) % hundred.length]}?ref=p${number}`);
			return page(`${name} ${at}`, links, { head: canonical ? canonicalTag(at) : '' });
		},
	};
};

/** Every address gets the same bytes. */
export const everythingSite: Site = {
	name: 'one page for everything',
	says: [phrase('everything')],
	serve: () => page('everything', ['docs/', 'about/', 'help/', 'blog/', 'team/', 'jobs/']),
};

const goods = upTo(60);
const filters = {
	colour: ['red', 'blue', 'green'],
	size: ['s', 'm', 'l'],
	brand: ['a', 'b', 'c'],
	sort: ['price', 'name'],
};

/** A shop with four filters in any order; the list pages link all sixty products. */
export const facetedShop: Site = {
	name: 'a faceted shop',
	says: goods.map((number) => phrase(`item ${number}`)),
	serve(path) {
		const { at, query } = parse(path);
		if (at === '/') return page('shop front', ['/goods', '/goods?page=2']);
		const [, item] = /^\/item\/(\d+)$/.exec(at) ?? [];
		if (item !== undefined && Number(item) <= 60) return page(`item ${item}`, ['/goods']);
		if (at !== '/goods') return undefined;
		const number = Number(query.get('page') ?? 1);
		const isPlain = [...query.keys()].every((name) => name === 'page');
		const shown = isPlain
			? goods.slice((number - 1) * 10, number * 10)
			: goods.filter((each) => each % (query.size + 2) === 0).slice(0, 10);
		const more = Object.entries(filters).flatMap(([name, values]) =>
			query.has(name)
				? []
				: values.map((value) => `/goods?${[...query, [name, value]].map((pair) => pair.join('=')).join('&')}`),
		);
		const next = isPlain && number < 6 ? [`/goods?page=${number + 1}`] : [];
		return short('Goods', 'What we have.', [...shown.map((each) => `/item/${each}`), ...next, ...more]);
	},
};
