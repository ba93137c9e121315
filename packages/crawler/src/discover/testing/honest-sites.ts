import { crawl } from '../../engine/crawl.ts';
import { seeded } from '../../testing/random.ts';
import { startWeb } from '../../testing/web.ts';

/** Title, main text, links in the main text as [address, name]; undefined if the site has no such page. */
type Page = readonly [title: string, text: string, links?: readonly (readonly [string, string])[]] | undefined;

interface Honest {
	/** Every page of the site. */
	readonly pages: readonly string[];
	readonly page: (path: string) => Page;
}

const headers = { 'Content-Type': 'text/html; charset=utf-8' };
const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, at) => at + from);
const named = (paths: readonly string[]) => paths.map((path) => [path, `Go to ${path.replace(/\W+/g, ' ')}`] as const);
const query = (path: string) => new URL(path, 'http://h.test').searchParams;
const last = (path: string) => Number(/(\d+)\/?$/.exec(path)?.[1]);
const html = (title: string, text: string, links: readonly (readonly [string, string])[]) =>
	`<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p><ul>${links
		.map(([to, name]) => `<li><a href="${to.replaceAll('&', '&amp;')}">${name}</a></li>`)
		.join('')}</ul></main></body></html>`;

/** The front page links all pages. */
const listed = (paths: readonly string[], page: (path: string) => Page): Honest => ({
	pages: paths,
	page: (path) =>
		path === '/'
			? ['Contents', 'All pages of this site.', named(paths)]
			: paths.includes(path)
				? page(path)
				: undefined,
});

/** Each page links only the next one. */
const chained = (paths: readonly string[], page: (path: string) => Page): Honest => ({
	pages: paths,
	page(path) {
		if (path === '/') return ['Begin', 'Go on from page to page.', [[paths[0] ?? '', 'Begin']]];
		const at = paths.indexOf(path);
		const [title, text, links = []] = page(path) ?? ['', ''];
		const next = paths[at + 1];
		return at < 0 ? undefined : [title, text, [...links, ...(next === undefined ? [] : [[next, 'Next'] as const])]];
	},
});

const dates = (count: number) =>
	upTo(count).map((each) => new Date(Date.UTC(2026, 9, each)).toISOString().slice(0, 10));
const towns = ['amble', 'bude', 'cowes', 'deal', 'exmouth', 'fowey', 'gosport', 'hythe', 'ilfracombe', 'jarrow'];
const entries = named(upTo(8).map((each) => `/story/part-${'abcdefgh'[each - 1]}`));
const template = 'We sell ropes and sails to sailors who need them on the day after they have asked for them. '.repeat(
	8,
);
const clock = (minutes: number) =>
	`${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Sites whose pages look like copies or traps, by what they are. */
export const honestSites: Record<string, Honest> = {
	'numbered pages that say only which they are': listed(
		upTo(60).map((each) => `/page/${each}`),
		(path) => [`Page ${last(path)}`, `This is page ${last(path)}.`],
	),
	'numbered pages that say only which they are, each linked by the one before': chained(
		upTo(60).map((each) => `/page/${each}`),
		(path) => [`Page ${last(path)}`, `This is page ${last(path)}.`],
	),
	'the same by ?page=': chained(
		upTo(60).map((each) => `/pages?page=${each}`),
		(path) => [`Page ${last(path)}`, 'There is not much to say.'],
	),
	'products that differ in one number': listed(
		upTo(60).map((each) => `/product/${each}`),
		(path) => ['Rope', `This rope costs ${last(path) * 3 + 100} pounds.`],
	),
	'products of one template, ?id=': listed(
		upTo(60).map((each) => `/shop?id=${each}`),
		(path) => ['Rope', `${template} Price: ${Number(query(path).get('id')) * 3 + 100}.`],
	),
	'equal items, ?item=': listed(
		upTo(40).map((each) => `/view?item=${each}`),
		(path) => [`Item ${query(path).get('item')}`, 'Ask in our shop.'],
	),
	'items under /item/N, the next one linked': chained(
		upTo(60).map((each) => `/item/${each}`),
		(path) => [`Item ${last(path)}`, `It weighs ${last(path) * 7 + 1000} grams.`],
	),
	'forecasts by town and day': listed(
		towns.flatMap((town) => dates(12).map((date) => `/forecast/${town}/${date}`)),
		(path) => ['Forecast', `Dry, ${(last(path) % 7) + 41} to ${path.length + 40} degrees.`],
	),
	'forecasts, the next day linked': chained(
		dates(34).map((date) => `/forecast?date=${date}`),
		(path) => [`Forecast for ${query(path).get('date')}`, `Wind of ${last(path) * 2 + 33} knots, dry.`],
	),
	'a dictionary of short entries': listed(
		upTo(60).map((each) => `/word/${each}`),
		(path) => [`Word ${last(path)}`, 'A noun.'],
	),
	'timetables that differ in their times': chained(
		upTo(40).map((each) => `/line/${each}`),
		(path) => [
			'Timetable',
			upTo(6)
				.map((each) => clock(300 + last(path) * 7 + each * 40))
				.join(' '),
		],
	),
	'timetables by direction and line': listed(
		['north', 'south', 'east', 'west'].flatMap((way) => upTo(12).map((line) => `/${way}?line=${line}`)),
		(path) => [
			'Timetable',
			`${template} ${upTo(6)
				.map((each) => clock(300 + Number(query(path).get('line')) * 7 + path.charCodeAt(1) + each * 40))
				.join(' ')}`,
		],
	),
	'a list of pages by ?page=': chained(
		upTo(40).map((each) => `/list?page=${each}`),
		(path) => [
			'Stories',
			'All of them.',
			named([
				`/story/${'abcdefgh'[Number(query(path).get('page')) % 8]}-old`,
				...(last(path) > 20 ? [`/tale-${path.length}`] : []),
			]),
		],
	),
	'tags of two entries that are known already': chained(
		upTo(40).map((each) => `/tag/${each}`),
		(path) => ['Tag', 'Entries:', [entries[last(path) % 8] as never, entries[Math.floor(last(path) / 8)] as never]],
	),
	'lists by letter below one introduction': listed(
		['people', 'places', 'things'].flatMap((kind) => [...'abcdefghijkl'].map((letter) => `/${kind}?letter=${letter}`)),
		(path) => [
			'Register',
			template,
			named(upTo(4).map((each) => `/entry/${path.slice(1, 4)}-${path.at(-1)}-${'wxyz'[each - 1]}`)),
		],
	),
	'searches without a result, ?q=': listed(
		[...towns, ...upTo(10).map((each) => `boat${each}`)].map((word) => `/search?q=${word}`),
		(path) => [`Search for ${query(path).get('q')}`, 'Nothing was found.'],
	),
	'people who differ in a name': listed(
		upTo(60).map((each) => `/people/${each}`),
		(path) => [
			'Person',
			`${towns[last(path) % 10]} ${towns[Math.floor(last(path) / 10)]}, telephone 01234567${String(last(path)).padStart(3, '0')}.`,
		],
	),
	'sensors, each with a history below': listed(
		upTo(30).flatMap((each) => [`/sensor/${each}/`, `/sensor/${each}/history/`]),
		(path) =>
			path.endsWith('history/')
				? ['History', `Mean ${path.length * 100 + last(path.replace('history/', ''))}.`]
				: [`Sensor ${last(path)}`, `It shows ${last(path) + 200}.`, [['history/', 'History']]],
	),
	'sensors, whose histories only they link': {
		pages: upTo(30).flatMap((each) => [`/sensor/${each}/`, `/sensor/${each}/history/`]),
		page(path) {
			if (path === '/') return ['Sensors', 'All.', named(upTo(30).map((each) => `/sensor/${each}/`))];
			const [, sensor, history] = /^\/sensor\/(\d+)\/(history\/)?$/.exec(path) ?? [];
			if (sensor === undefined) return undefined;
			return history === undefined
				? [`Sensor ${sensor}`, 'It is on.', [['history/', 'History']]]
				: [`Sensor ${sensor}`, 'Nothing yet.'];
		},
	},
	'sensors, of which the first have no history yet': {
		pages: upTo(30).flatMap((each) => [`/sensor/${each}/`, ...(each > 12 ? [`/sensor/${each}/history/`] : [])]),
		page(path) {
			if (path === '/') return ['Sensors', 'All.', named(upTo(30).map((each) => `/sensor/${each}/`))];
			const [, sensor, history] = /^\/sensor\/(\d+)\/(history\/)?$/.exec(path) ?? [];
			if (sensor === undefined) return undefined;
			if (history === undefined) return [`Sensor ${sensor}`, 'It is on.', [['history/', 'History']]];
			return Number(sensor) > 12 ? ['History', `Since ${Number(sensor) + 40} days.`] : undefined;
		},
	},
	'a tree of numbered units': {
		pages: upTo(3).flatMap((a) => [
			`/${a}/`,
			...upTo(3).flatMap((b) => [`/${a}/${b}/`, ...upTo(3).map((c) => `/${a}/${b}/${c}/`)]),
		]),
		page(path) {
			if (!/^\/(?:[123]\/){0,3}$/.test(path)) return undefined;
			const links = path.length < 7 ? upTo(3).map((each) => [`${each}/`, 'Below'] as const) : [];
			return [`Unit ${path.replaceAll('/', ' ')}`, 'Look below.', links];
		},
	},
	'pages to come, word for word, before those that are there': listed(
		upTo(50).map((each) => `/project/${each}`),
		(path) => (last(path) > 30 ? [`Project ${last(path)}`, 'It is there.'] : ['To come', 'This page is to come.']),
	),
	'pages to come, word for word, after those that are there': listed(
		upTo(50).map((each) => `/project?id=${each}`),
		(path) =>
			Number(query(path).get('id')) < 20 ? ['Project', `${query(path).get('id')}00 boats.`] : ['To come', 'Not yet.'],
	),
};

/** Paths that did not end as pages; word-for-word copies may end as aliases. */
function lostOf(site: Honest, ends: ReadonlyMap<string, string>): string[] {
	const isThere = (path: string) => ends.get(path) === 'fetched';
	const isSaid = (path: string) =>
		site.pages.some((other) => isThere(other) && String(site.page(other)) === String(site.page(path)));
	return site.pages
		.filter((path) => !isThere(path) && !(ends.get(path) === 'out-of-scope alias' && isSaid(path)))
		.map((path) => `${path} ${ends.get(path)}`);
}

/** Crawls a site whose responses come in some order; returns the pages that were lost. */
export async function lostPages(site: Honest, order: number): Promise<string[]> {
	const random = seeded(order);
	const web = await startWeb(({ path }) => {
		const page = site.page(path) ?? (/^\/(?:story|tale|entry)/.test(path) ? ([path, 'An entry.'] as const) : undefined);
		return page && { headers, body: html(page[0], page[1], page[2] ?? []), after: random() * 8 };
	});
	try {
		const ends = new Map<string, string>();
		const options = { delay: 0, threads: 0, everyOutcome: true };
		for await (const { url, outcome, reason } of crawl([web.url('127.0.0.1')], options))
			ends.set(url.slice(web.url('127.0.0.1', '').length), reason === undefined ? outcome : `${outcome} ${reason}`);
		return lostOf(site, ends);
	} finally {
		await web.close();
	}
}
