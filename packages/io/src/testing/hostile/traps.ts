import { type Behaviour, type Behaviours, fetched } from './behaviour.ts';
import type { Exchange } from './exchange.ts';
import { ordinaryPaths, page } from './site.ts';

/** An endless space below (or at) a path: every page of it is good, and leads to more. */
function endless(
	does: string,
	path: string,
	reason: string,
	links: (exchange: Exchange) => string[] | undefined,
): Behaviour {
	const serve = (exchange: Exchange) => {
		const next = links(exchange);
		if (next === undefined) return false;
		exchange.html(
			page(`Page ${exchange.request.path}`, `Here is ${exchange.request.path}, one page of very many.`, next),
		);
		return true;
	};
	return {
		does,
		path,
		fetch: 200,
		crawl: fetched(path),
		trap: reason,
		serve: (exchange) => void serve(exchange),
		also: serve,
	};
}

const colours = ['red', 'green', 'blue', 'black', 'white'];
const sorts = ['price', 'name', 'date'];

/** Hosts without end. A crawl of each must end by itself, with the reason in some outcome, and reach the ordinary pages. */
export const traps: Behaviours = {
	'calendar.test': endless(
		'has a calendar with a next month for ever',
		'/calendar/2026/11',
		'trap-calendar',
		(exchange) => {
			const [, year, month] = /^\/calendar\/(\d+)\/(\d+)$/.exec(exchange.path) ?? [];
			if (year === undefined) return undefined;
			return [1, -1].map((step) => {
				const at = Number(year) * 12 + Number(month) - 1 + step;
				return `/calendar/${Math.floor(at / 12)}/${String((at % 12) + 1).padStart(2, '0')}`;
			});
		},
	),
	'calendar-query.test': endless(
		'has a calendar in the query',
		'/events?date=2026-11-28',
		'trap-calendar',
		(exchange) => {
			const [, date] = /^\/events\?date=([\d-]+)$/.exec(exchange.request.path) ?? [];
			if (date === undefined) return undefined;
			const day = (step: number) => new Date(Date.parse(date) + step * 86_400_000).toISOString().slice(0, 10);
			return [`/events?date=${day(1)}`, `/events?date=${day(-1)}`];
		},
	),
	'permutations.test': endless(
		'has a shop with every combination and order of filters',
		'/shop',
		'trap-query-permutation',
		(exchange) => {
			if (exchange.path !== '/shop') return undefined;
			const query = exchange.request.path.split('?')[1] ?? '';
			const filters = [
				...colours.map((each) => `colour=${each}`),
				...sorts.map((each) => `sort=${each}`),
				'sale=1',
				'size=9',
			];
			return filters
				.filter((filter) => !query.includes(filter))
				.map((filter) => `/shop?${query === '' ? '' : `${query}&`}${filter}`);
		},
	),
	'growing-path.test': endless('has a relative link that grows the path', '/tree/', 'trap-repeated-path', (exchange) =>
		exchange.path.startsWith('/tree/') ? ['more/', 'other/', '../'] : undefined,
	),
	'missing-scheme.test': endless(
		'links to www.example.com without a scheme, on every path',
		'/news/',
		'trap-repeated-path',
		(exchange) => (exchange.path.startsWith('/news/') ? ['www.example.com/', ...ordinaryPaths] : undefined),
	),
	'growing-query.test': endless(
		'adds the same parameter again and again',
		'/list?page=1',
		'trap-repeated-query',
		(exchange) => (exchange.path === '/list' ? [`${exchange.request.path}&page=1`] : undefined),
	),
	'deep-path.test': endless(
		'goes one level deeper with each page, never the same',
		'/level/0',
		'trap-deep-path',
		(exchange) =>
			exchange.path.startsWith('/level/') ? [`${exchange.path}/${exchange.path.split('/').length}`] : undefined,
	),
	'session-ids.test': endless(
		'puts a new session into every link',
		'/start?sid=0',
		'trap-query-permutation',
		(exchange) =>
			exchange.path === '/start' ? [1, 2, 3].map(() => `/start?sid=${Math.random().toString(36).slice(2)}`) : undefined,
	),
};
