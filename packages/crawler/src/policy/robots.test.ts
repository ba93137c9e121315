import { describe, expect, it } from 'vitest';
import { openStore } from '../store/sql/open.ts';
import { plain, type Sites, useSites } from '../testing/sites.ts';
import { htmlPage, type TestRequest } from '../testing/web.ts';

const sites = useSites();
const day = 24 * 60 * 60 * 1000;

/** Two pages, of which one is in a closed part. */
const pages: Sites = {
	'h.test/': htmlPage('Home', ['/x', '/y']),
	'h.test/x': htmlPage('X'),
	'h.test/y': htmlPage('Y'),
};
const withRobots = (robots: Sites[string], more: Sites = {}): Sites => ({
	...pages,
	'h.test/robots.txt': robots,
	...more,
});
const closedX = 'User-agent: *\nDisallow: /x\n';

describe('groups', () => {
	it.each([
		['AWI-66', 'User-agent: AIWebIndex\nDisallow: /x\n', ['/', '/y']],
		['AWI-67', 'User-agent: *\nDisallow: /x\n', ['/', '/y']],
		['AWI-67', 'User-agent: *\nDisallow: /x\n\nUser-agent: AIWebIndex\nDisallow: /y\n', ['/', '/x']],
		['CB-29', 'User-agent: Bytespider\nDisallow: /\n', ['/', '/x', '/y']],
		['AMB-17 the version is cut off', 'User-agent: aiwebindex/2.0\nDisallow: /x\n', ['/', '/y']],
		[
			'AMB-17 our own name must be permitted too',
			'User-agent: AIWebIndex\nDisallow:\n\nUser-agent: Wayleave\nDisallow: /x\n',
			['/', '/y'],
		],
		['REP-23', '\u0000\u0001garbage\nnonsense\nUser-agent: *\n???: 1\nDisallow: /x\n\uFFFD\n', ['/', '/y']],
		['CB-07 CB-08', '\uFEFFuser-AGENT: *\r\ndisallow: /x\r\n', ['/', '/y']],
		['UTF-16', Buffer.from(`\uFEFF${closedX}`, 'utf16le'), ['/', '/y']],
		['UTF-16, the other way round', Buffer.from(`\uFEFF${closedX}`, 'utf16le').swap16(), ['/', '/y']],
	])('%s', async (_, robots, expected) => {
		await sites.serve(withRobots(plain(robots)));
		await sites.crawl(['h.test/']);
		expect(sites.pages('h.test').sort()).toEqual(expected);
	});

	it('REP-12 /robots.txt is asked for although everything is disallowed', async () => {
		await sites.serve(withRobots(plain('User-agent: *\nDisallow: /\n')));
		const { ends } = await sites.crawl(['h.test/']);
		expect(sites.web.paths('h.test')[0]).toBe('/robots.txt');
		expect(sites.pages('h.test')).toEqual([]);
		expect(ends).toEqual({ 'h.test/': 'refused robots-disallow' });
	});

	it('CB-31 an empty crawl says which line of which file made it empty', async () => {
		await sites.serve(withRobots(plain('# ours\nUser-agent: *\nDisallow: /\n')));
		const { summary } = await sites.crawl(['h.test/']);
		const [row] = summary.rows;
		expect(row).toMatchObject({ outcome: 'refused', reason: 'robots-disallow', count: 1 });
		expect(row?.because?.[0]).toMatchObject({
			evidence: { source: sites.url('h.test/robots.txt'), line: 3, text: 'Disallow: /' },
			count: 1,
		});
		expect(summary.seeds).toEqual([{ url: sites.url('h.test/'), outcome: 'refused', reason: 'robots-disallow' }]);
	});
});

describe('a file that cannot be had', () => {
	it.each([404, 401, 403, 410])('REP-19 AMB-09 CB-32 %d means that there is none', async (status) => {
		await sites.serve(withRobots(status));
		await sites.crawl(['h.test/']);
		expect(sites.pages('h.test').length).toBe(3);
	});

	it.each([
		['REP-20 CB-01', { status: 500, body: closedX }, '500'],
		['REP-20', { status: 503, headers: { 'Retry-After': '1' } }, '503'],
		['AMB-09', { status: 429, headers: { 'Retry-After': '1' } }, '429'],
		['REP-21 CB-05', { reset: true }, 'connection-reset'],
		['REP-21 CB-06', { hang: true }, 'timeout'],
	])('%s forbids everything for now: %o', async (_, answer, detail) => {
		await sites.serve({ ...withRobots(answer), 'i.test/': htmlPage('I') });
		const { ends, results, events } = await sites.crawl(['h.test/', 'h.test/x', 'h.test/y', 'i.test/']);
		expect(sites.pages('h.test')).toEqual([]);
		// Three tries, shared by both pages.
		expect(sites.web.paths('h.test')).toEqual(Array(3).fill('/robots.txt'));
		expect(ends['h.test/']).toBe('deferred robots-unreachable');
		expect(results[0]?.detail ?? results[1]?.detail).toBe(detail);
		expect(events).toContainEqual(
			expect.objectContaining({ type: 'host', host: 'h.test', change: 'deferred', count: 2 }),
		);
		expect(ends['i.test/']).toBe('fetched');
	});

	it('CB-01 the next run tries again', async () => {
		let up = false;
		await sites.serve(withRobots(() => (up ? 404 : 500)));
		const store = await openStore('memory');
		await sites.crawl(['h.test/'], { store });
		up = true;
		const { ends } = await sites.crawl(['h.test/'], { store });
		expect(ends['h.test/']).toBe('fetched');
		await store.close();
	});
});

describe('redirects', () => {
	/** robots.txt at the end of so many redirects, the last one to another host. */
	const lazily = (count: number): Sites => {
		const made: Sites = { ...pages, 'rules.test/r.txt': plain(closedX), 'rules.test/x': htmlPage('X') };
		for (let at = 0; at < count; at++) {
			const here = at === 0 ? 'h.test/robots.txt' : `h.test/hop/${at}`;
			made[here] = () => ({
				status: 301,
				headers: { Location: at === count - 1 ? sites.url('rules.test/r.txt') : `/hop/${at + 1}` },
			});
		}
		return made;
	};

	it('REP-17 CB-17 the rules at the end of five redirects govern, on another host too', async () => {
		await sites.serve(lazily(5));
		const { results } = await sites.crawl(['h.test/']);
		expect(sites.pages('h.test')).not.toContain('/x');
		expect(results.find(({ outcome }) => outcome === 'refused')?.evidence?.[0]?.source).toBe(
			sites.url('rules.test/r.txt'),
		);
	});

	it('REP-18 after six the file counts as not there', async () => {
		await sites.serve(lazily(6));
		const { events } = await sites.crawl(['h.test/']);
		expect(sites.web.paths('rules.test')).toEqual([]);
		expect(events).toContainEqual(
			expect.objectContaining({ type: 'robots', state: 'none', url: sites.url('h.test/robots.txt') }),
		);
		expect(sites.pages('h.test')).toContain('/x');
	});

	it('a file that could not be had a moment ago is not asked for again because another host leads there', async () => {
		await sites.serve({
			...withRobots(() => ({ status: 301, headers: { Location: sites.url('rules.test/robots.txt') } })),
			'rules.test/robots.txt': 500,
			'start.test/': () => ({ status: 301, headers: { Location: sites.url('h.test/') } }),
		});
		const { ends } = await sites.crawl(['rules.test/', 'start.test/']);
		expect(ends).toMatchObject({ 'start.test/': 'deferred robots-unreachable' });
		expect(sites.web.paths('rules.test')).toEqual(Array(3).fill('/robots.txt'));
	});

	it('CB-18 the rules are those of the host that was asked, not of the host where they lie', async () => {
		await sites.serve({ ...lazily(1), 'rules.test/': htmlPage('R', ['/x']) });
		const { ends } = await sites.crawl(['h.test/', 'rules.test/']);
		expect(ends).toMatchObject({ 'h.test/x': 'refused robots-disallow', 'rules.test/x': 'fetched' });
	});
});

it('CB-27 CB-19 a rule at 499 KiB counts, what lies behind 512 KiB is not read, after a redirect either', async () => {
	const filler = 'Disallow: /never/heard/of\n';
	const start = `User-agent: *\n${filler.repeat(Math.floor((499 * 1024) / filler.length) - 2)}`;
	const rules = `${start}Disallow: /x\n`.padEnd(600 * 1024, filler);
	const file = plain(`${rules}\nDisallow: /y\n`);
	await sites.serve(withRobots({ status: 302, headers: { Location: '/rules' } }, { 'h.test/rules': file }));
	const { ends } = await sites.crawl(['h.test/']);
	expect(ends).toMatchObject({ 'h.test/x': 'refused robots-disallow', 'h.test/y': 'fetched' });
});

describe('caching', () => {
	async function twice(robots: Sites[string], later: number) {
		await sites.serve(withRobots(robots));
		const store = await openStore('memory');
		await sites.crawl(['h.test/'], { store });
		const before = sites.web.log.length;
		sites.clock.advance(later);
		const second = await sites.crawl(['h.test/'], { store });
		await store.close();
		return { ...second, requests: sites.web.log.slice(before).filter(({ host }) => host === 'h.test') };
	}

	it.each([
		[23, 0],
		[25, 1],
	])('REP-24 after %d hours: %d requests', async (hours, count) => {
		const { requests } = await twice(plain(closedX), hours * 3600_000);
		expect(requests.filter(({ path }) => path === '/robots.txt').length).toBe(count);
		if (count > 0) expect(requests[0]?.path).toBe('/robots.txt');
	});

	it('REP-25 max-age shortens it, and an entity tag makes the request conditional', async () => {
		const robots = ({ headers }: TestRequest) =>
			headers['if-none-match'] === '"1"'
				? { status: 304 }
				: plain(closedX, { 'Cache-Control': 'max-age=60', ETag: '"1"' });
		const { requests, ends, events } = await twice(robots, 120_000);
		expect(requests.find(({ path }) => path === '/robots.txt')?.headers['if-none-match']).toBe('"1"');
		expect(events).toContainEqual(expect.objectContaining({ type: 'robots', state: 'unchanged' }));
		expect(ends['h.test/x']).toBe('refused robots-disallow');
	});

	it('REP-25 a longer max-age than a day does not count', async () => {
		const { requests } = await twice(plain(closedX, { 'Cache-Control': 'max-age=9999999' }), 25 * 3600_000);
		expect(requests[0]?.path).toBe('/robots.txt');
	});

	it('REP-22 while the file cannot be had, the last copy counts', async () => {
		const robots = ({ times }: TestRequest) => (times === 0 ? plain(closedX) : 500);
		const { ends, events } = await twice(robots, 2 * day);
		expect(events).toContainEqual(expect.objectContaining({ type: 'robots', state: 'stale' }));
		expect(ends).toMatchObject({ 'h.test/': 'unchanged same-content', 'h.test/x': 'refused robots-disallow' });
	});

	it('REP-22 after thirty days without any, the site counts as one that has none', async () => {
		await sites.serve(withRobots(500));
		const store = await openStore('memory');
		for (const [wait, expected] of [
			[0, 'deferred robots-unreachable'],
			[29 * day, 'deferred robots-unreachable'],
			[2 * day, 'fetched'],
		] as const) {
			sites.clock.advance(wait);
			expect((await sites.crawl(['h.test/'], { store })).ends['h.test/']).toBe(expected);
		}
		await store.close();
	});
});

describe('rules and URLs', () => {
	it('CB-07 a byte order mark, CRLF and odd case lose no rule', async () => {
		const rules = '\uFEFFUSER-agent: *\r\nDISALLOW: /*.pdf$\r\ndisallow: /a%3cb\r\nDisallow: /caf\u00e9\r\n';
		await sites.serve({
			'h.test/': htmlPage('Home', ['/x.pdf', '/a%3Cb', '/caf\u00e9', '/x.pdfx']),
			'h.test/x.pdfx': htmlPage('X'),
			'h.test/robots.txt': plain(rules),
		});
		const { ends } = await sites.crawl(['h.test/']);
		expect(ends).toEqual({
			'h.test/': 'fetched',
			'h.test/x.pdf': 'refused robots-disallow',
			'h.test/a%3Cb': 'refused robots-disallow',
			'h.test/caf%C3%A9': 'refused robots-disallow',
			'h.test/x.pdfx': 'fetched',
		});
	});

	it.each([
		['CB-11', 'Disallow: /en/*q=*relevance*', '/en/c?q=%3Arelevance%3A', true],
		['CB-12', 'Disallow: /*%2F*', '/a/b', false],
		['CB-12', 'Disallow: /*%2F*', '/a%2Fb', true],
		['CB-13', 'Disallow: /file-%2A.html', '/file-*.html', true],
		['CB-07', 'Disallow: /*.PDF$\nDisallow: /a%3cb\nDisallow: /caf%C3%A9', '/café', true],
	])('%s %s against %s', async (_, rule, path, refused) => {
		await sites.serve({ 'h.test/': htmlPage('Home', [path]), 'h.test/robots.txt': plain(`User-agent: *\n${rule}\n`) });
		const { results } = await sites.crawl(['h.test/']);
		expect(results.some(({ reason }) => reason === 'robots-disallow')).toBe(refused);
	});
});
