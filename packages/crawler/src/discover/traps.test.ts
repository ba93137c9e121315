import { describe, expect, it } from 'vitest';
import { isDatePage } from '../addresses/dates.ts';
import { CombinationCounter } from './query-combinations.ts';
import { shapeOf } from './traps.ts';

const now = Date.UTC(2026, 10, 28);
const trap = (path: string, dates = 0) => shapeOf(`https://h.test${path}`, dates, now).trap;

describe('paths', () => {
	it.each(['/x/x/x/x', '/a/b/a/b/a/b', '/p/a/b/c/a/b/c/a/b/c', '/x//x//x//x//', '/s/1/s/2/s/3/s/4/s/5/s/6'])(
		'CB-84 CB-87 %s repeats itself',
		(path) => {
			expect(trap(path)).toBe('trap-repeated-path');
		},
	);

	it.each(['/', '/a/a/a', '/2011/11/11', '/a/b/a/b', '/docs/api/docs/api', '/en/en/x', '/a//b'])(
		'%s is no trap',
		(path) => {
			expect(trap(path)).toBeUndefined();
		},
	);

	it.each([
		'/login/next/%2Flogin%2Fnext%2F%252Fp%252F1',
		'/out/https://h.test/out/https://h.test/p/1',
		'/login?next=%2Flogin%3Fnext%3D%2Flogin%253Fnext%253D%25252Fp',
	])('C2-23 %s holds an address within an address', (path) => {
		expect(trap(path)).toBe('trap-nested-address');
	});

	it.each(['/login/next/%2Fp%2F1', '/web/2020/http://h.test/p', '/a%2Fb/c%252Fd', '/files/50%25/x'])(
		'C2-23 %s is no trap',
		(path) => {
			expect(trap(path)).toBeUndefined();
		},
	);

	it('no site needs forty folders', () => {
		const path = Array.from({ length: 41 }, (_, at) => `/p${at}`).join('');
		expect(trap(path)).toBe('trap-deep-path');
	});
});

describe('calendars', () => {
	it.each([
		'/calendar/2031/05',
		'/calendar/2031/05/12/',
		'/events/2031-05',
		'/archive/203105',
		'/cal?month=5&year=2031',
		'/cal?date=2031-05-12',
		'/cal?y=2031&m=5',
		'/termine.php?jahr=2031&monat=5',
		'/cal/?offset=15',
		'/x?from=20310512',
		'/agenda?offset=15',
		'/kalender/may-2031',
		'/calendar/2031',
		'/2019/',
	])('%s is a date page', (path) => {
		expect(isDatePage(new URL(`https://h.test${path}`))).toBe(true);
	});

	it.each([
		'/2024/05/12/title',
		'/page/3',
		'/page/2031',
		'/product?id=2024',
		'/list?page=7',
		'/blog/',
		'/v2.0/',
		'/item/20240',
		'/map?z=4&y=2100000',
		'/map?x=17&y=2031',
		'/calls?id=2031',
	])('%s is none', (path) => {
		expect(isDatePage(new URL(`https://h.test${path}`))).toBe(false);
	});

	it('CB-85 three years of months, then a trap', () => {
		let dates = 0;
		let pages = 0;
		for (let month = 0; month < 1000; month++) {
			const shape = shapeOf(`https://h.test/calendar/${2026 - Math.floor(month / 12)}/${(month % 12) + 1}`, dates, now);
			if (shape.trap !== undefined) break;
			dates = shape.dates;
			pages++;
		}
		expect(pages).toBe(36);
	});

	it('CB-86 a site with pages numbered from 1 to 20,000 has no calendar', () => {
		for (let number = 1; number <= 20_000; number++) {
			expect(trap(`/page/${number}`)).toBeUndefined();
			expect(trap(`/topic/${number}/2`)).toBeUndefined();
			expect(trap(`/show?id=${number}&page=2`)).toBeUndefined();
		}
	});

	it('no calendar plans ten years ahead', () => {
		expect(trap('/calendar/2036/01')).toBe('trap-calendar');
		expect(trap('/calendar/2027/01')).toBeUndefined();
		expect(trap('/termine.php?jahr=2036&monat=1')).toBe('trap-calendar');
		expect(trap('/termine.php?jahr=2027&monat=1')).toBeUndefined();
	});
});

describe('queries', () => {
	const visited = (urls: Iterable<string>) => {
		const counter = new CombinationCounter();
		let count = 0;
		for (const url of urls) if (counter.admit(url)) count++;
		return count;
	};

	it('the same pair three times is a trap', () => {
		expect(trap('/?a=1&a=1&a=1')).toBe('trap-repeated-query');
		expect(trap('/?a=1&a=2&a=3')).toBeUndefined();
	});

	it('a query that is one word is the name of a page', () => {
		const urls = Array.from({ length: 300 }, (_, id) => `https://h.test/showthread.php?${id}-title`);
		expect(visited(urls)).toBe(300);
	});

	it('CB-86 20,000 article numbers are no trap', () => {
		const urls = Array.from({ length: 20_000 }, (_, id) => `https://h.test/article?id=${id}&lang=en`);
		expect(visited(urls)).toBe(20_000);
	});

	it('all orders of the same parameters are', () => {
		expect(visited(orders(['a', 'b', 'c', 'd', 'e']))).toBe(20);
	});

	it('a new session on every link is', () => {
		for (const form of ['/start?sid=', '/start?a=1&PHPSESSID=', '/start;jsessionid='])
			expect(visited(Array.from({ length: 100 }, (_, at) => `https://h.test${form}${at}x`))).toBe(20);
	});

	it('the numbers of stories are no sessions, though their parameter is called like one', () => {
		const urls = Array.from({ length: 300 }, (_, at) => `https://h.test/article.php?sid=${at + 1000}`);
		expect(visited(urls)).toBe(300);
	});

	it('all combinations of filter settings are', () => {
		const settings = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
		const urls = settings.flatMap((a) =>
			settings.flatMap((b) => settings.map((c) => `https://h.test/shop?size=${a}&colour=${b}&sort=${c}`)),
		);
		expect(visited(urls)).toBe(500);
	});
});

function orders(names: readonly string[]): string[] {
	const permute = (rest: readonly string[]): string[][] =>
		rest.length === 0
			? [[]]
			: rest.flatMap((name) => permute(rest.filter((other) => other !== name)).map((tail) => [name, ...tail]));
	return permute(names).map((list) => `https://h.test/list?${list.map((name) => `${name}=1`).join('&')}`);
}
