import { type Crawl, type CrawlOptions, crawl, warcSink } from '@wayleave/crawler';
import { startWeb, type TestAnswer, type TestWeb } from '../../../crawler/src/testing/web.ts';

/** Texts that would act if a page took them for markup. */
export const hostileTexts = [
	'<script>document.title="pwned"</script>',
	'"><img src=x onerror="document.title=\'pwned\'">',
	"'-alert(1)-'",
	'<svg/onload=document.title="pwned">',
	'javascript:document.title="pwned"',
	'</pre></main><h1>pwned</h1>',
	'[x](javascript:alert%281%29) ![p](http://192.0.2.1/p.png)',
	'\u202Eevil\u202C \u2066x\u2069 \x1b[2J',
] as const;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Chapters of a made-up manual, and how much each says. */
const chapters = ['tides', 'currents', 'moorings', 'pilots', 'lights', 'weather', 'radio', 'rescue', 'harbour-dues'];

function chapter(name: string, edition: number): string {
	const title = name.replace('-', ' ').replace(/^./, (first) => first.toUpperCase());
	const rows = ['Monday', 'Tuesday', 'Wednesday'].map(
		(day, at) => `<tr><td>${day}</td><td>0${3 + at}:${edition}0</td><td>4.${at + edition} m</td></tr>`,
	);
	return page(
		title,
		`<p>The harbour office publishes this chapter about ${title.toLowerCase()} for skippers and their agents.</p>
<h2>Before you enter</h2><p>Call the harbour on channel ${11 + edition}. Speed is limited to four knots inside the breakwater.</p>
<ul><li>Keep clear of the ferry berth.</li><li>Show lights from dusk.</li>${edition > 1 ? '<li>Report the number of people on board.</li>' : ''}</ul>
<table><tr><th>Day</th><th>High water</th><th>Height</th></tr>${rows.join('')}</table>
<p>Edition ${edition} of this chapter replaces all earlier ones. <a href="/">All chapters</a></p>`,
	);
}

const page = (title: string, body: string) =>
	`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

const links = (paths: readonly string[]) => paths.map((path) => `<li><a href="${path}">${path}</a></li>`).join('');

/** A page whose every part is hostile. */
function hostilePage(): TestAnswer {
	const body = `<p>The text of this page is hostile, and it is long enough to be a document of its own.</p>
${hostileTexts.map((text) => `<p>${escaped(text)}</p>`).join('')}<p>The end of the page.</p>`;
	return {
		headers: {
			'Content-Type': 'text/html; charset=utf-8',
			'X-Note': '<script>document.title="pwned"</script>',
			ETag: '"<img src=x onerror=alert(1)>"',
		},
		body: page(escaped(hostileTexts[0]), body),
	};
}

export interface Harbour {
	readonly web: TestWeb;
	/** What the manual says from now on. */
	edition: number;
	/** Milliseconds that a page of the manual takes. */
	delay: number;
	/** URL of a page of the manual. */
	url(path?: string): string;
	/** A crawl of all sites, or of some hosts. */
	crawl(store: string, more?: CrawlOptions, archive?: string, hosts?: readonly string[]): Crawl;
	close(): Promise<void>;
}

const own = ['harbour.test', 'ferry.test', 'weather.test'];

/**
 * Sites on the loopback for the page that shows a crawl: a manual with a trap, forbidden, gone and hostile pages, a
 * ferry that asks for pauses, and a weather service that fails.
 */
export async function startHarbour(): Promise<Harbour> {
	const state = { edition: 1, delay: 0 };
	const manual = (path: string): TestAnswer | string | undefined => {
		const [name = '', query] = path.slice(1).split('?');
		if (path === '/robots.txt')
			return { body: 'User-agent: *\nDisallow: /members/\nDisallow: /drafts/\n', headers: text };
		if (path === '/')
			return page(
				'Harbour manual',
				`<p>The manual of the harbour, for skippers and their agents.</p><ul>${links(front())}</ul>`,
			);
		if (chapters.includes(name))
			return query === undefined || /^ref=/.test(query) ? chapter(name, state.edition) : undefined;
		if (/^notices\/\d+$/.test(name)) return notice(Number(name.slice('notices/'.length)), state.edition);
		if (/^log\/(?:\d+\/?)+/.test(name)) return calendar(name);
		if (name === 'old-charts') return state.edition === 1 ? chapter('charts', 1) : { status: 410 };
		if (name === 'withdrawn') return { status: 410 };
		if (name === 'moved') return { status: 301, headers: { Location: '/tides' } };
		if (name === 'broken') return { status: 500 };
		if (name === 'new-pier' && state.edition > 1) return chapter('new-pier', 1);
		if (name === 'hostile' || name.startsWith('%3C') || name.startsWith('<')) return hostilePage();
		return undefined;
	};
	const front = () => [
		...chapters.map((each) => `/${each}`),
		...chapters.slice(0, 4).flatMap((each) => [`/${each}?ref=front`, `/${each}?ref=menu`]),
		...Array.from({ length: 24 }, (_, at) => `/notices/${at + 1}`),
		...['/members/list', '/drafts/plan', '/old-charts', '/withdrawn', '/moved', '/broken', '/missing', '/hostile'],
		...['/log/2026/01/01', '/%3Cimg%20src=x%20onerror=alert(1)%3E', 'http://elsewhere.test/'],
		...(state.edition > 1 ? ['/new-pier'] : []),
	];
	const ferry = (path: string, times: number): TestAnswer | string | undefined => {
		if (path === '/robots.txt') return { body: 'User-agent: *\nCrawl-delay: 6\n', headers: text };
		if (path === '/' && times === 0) return { status: 429, headers: { 'Retry-After': '90' } };
		return page('Ferry', `<p>Departures of the ferry, every hour of the day.</p>${links(['/a', '/b'])}`);
	};
	const web = await startWeb(({ host, path, times }) => {
		if (path.endsWith('robots2.txt') || path.startsWith('/.well-known')) return undefined;
		if (host === 'ferry.test') return ferry(path, times);
		if (host === 'weather.test')
			return path === '/robots.txt' ? { status: 404 } : { status: 503, headers: { 'Retry-After': '1800' } };
		const given = manual(path);
		if (state.delay === 0 || given === undefined || path === '/robots.txt') return given;
		return { after: state.delay, ...(typeof given === 'string' ? asPage(given) : given) };
	});
	const url = (path = '/') => web.url('harbour.test', path);
	return Object.assign(state, {
		web,
		url,
		crawl: (store: string, more: CrawlOptions = {}, archive?: string, hosts: readonly string[] = own) =>
			crawl(
				hosts.map((host) => web.url(host)),
				{
					store,
					lookup: web.lookup,
					ownSites: own,
					delay: 0,
					sitemaps: false,
					...(archive !== undefined && { sinks: [warcSink(archive)] }),
					...more,
				},
			),
		close: () => web.close(),
	});
}

const text = { 'Content-Type': 'text/plain' };
const asPage = (body: string): TestAnswer => ({ headers: { 'Content-Type': 'text/html; charset=utf-8' }, body });

function notice(number: number, edition: number): string {
	const changed = number % 5 === 0 && edition > 1;
	const words = changed ? 'The buoy is back in its place, and the channel is open.' : 'A buoy is out of its place.';
	return page(
		`Notice ${number}`,
		`<p>Notice to mariners ${number} of this year. ${words}</p><p>Signed by the harbour master.</p>`,
	);
}

/** An endless log: each day leads to the next. */
function calendar(name: string): string {
	const [, year = '2026', month = '01', day = '01'] = name.split('/');
	const next = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day) + 1)).toISOString().slice(0, 10);
	return page(
		`Log of ${year}-${month}-${day}`,
		`<p>Nothing to report on this day.</p><a href="/log/${next.replaceAll('-', '/')}">next day</a>`,
	);
}
