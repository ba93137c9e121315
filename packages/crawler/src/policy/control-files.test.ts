import { describe, expect, it } from 'vitest';
import { plain, type Sites, useSites } from '../testing/sites.ts';
import { htmlPage, type TestAnswer, type TestRequest } from '../testing/web.ts';

// One failure of a control file does not lose the host. While its rules are unknown, no page is requested.

const sites = useSites();
const names = ['/', '/1', '/2', '/3', '/4'];
const five: Sites = Object.fromEntries(names.map((path) => [`h.test${path}`, htmlPage(path, names)]));
const rules = plain('User-agent: *\nDisallow: /private/\n');
const onceThen =
	(first: TestAnswer, then: TestAnswer, failures = 1) =>
	({ times }: TestRequest) =>
		times < failures ? first : then;

/** How often a path was requested, and whether any page was requested before the file was read. */
function asked(path: string) {
	const paths = sites.web.paths('h.test');
	return {
		times: paths.filter((each) => each === path).length,
		pagesBefore: paths.lastIndexOf(path) > paths.indexOf('/') && paths.includes('/'),
	};
}

describe.each([
	['own', ['h.test'], 20_000],
	['foreign', [], 200_000],
] as const)('on a host that is %s', (_, ownSites, mostTime) => {
	it.each([
		['C2-40 reset', '/robots.txt', { reset: true }, rules, 1],
		['C2-41 503', '/robots.txt', { status: 503 }, rules, 1],
		['C2-42 429 with Retry-After', '/robots.txt', { status: 429, headers: { 'Retry-After': '1' } }, rules, 1],
		['C2-43 503, then none', '/robots2.txt', { status: 503 }, { status: 404 }, 1],
		[
			'C2-40 cut short',
			'/robots.txt',
			{ headers: { 'Content-Length': '400' }, body: 'User-agent', reset: true },
			rules,
			1,
		],
		['C2-41 500 twice', '/robots.txt', { status: 500 }, rules, 2],
		['C2-41 502', '/robots2.txt', { status: 502 }, plain('crawl: yes\n'), 1],
	] satisfies [string, string, TestAnswer, TestAnswer, number][])(
		'%s of %s is retried before any page is requested',
		async (_, path, failure, then, failures) => {
			await sites.serve({ ...five, [`h.test${path}`]: onceThen(failure, then, failures) });
			const before = sites.clock.now();
			const { summary } = await sites.crawl(['h.test/'], { ownSites, delay: 0 });
			expect(summary.totals.fetched).toBe(5);
			expect(asked(path)).toEqual({ times: failures + 1, pagesBefore: false });
			expect(sites.clock.now() - before).toBeLessThan(mostTime);
		},
	);

	it.each([
		['503', { status: 503 }],
		['a reset', { reset: true }],
		['429', { status: 429, headers: { 'Retry-After': '1' } }],
	] satisfies [string, TestAnswer][])(
		'C2-44 robots.txt that stays %s: no page, at most four tries',
		async (_, failure) => {
			await sites.serve({ ...five, 'h.test/robots.txt': failure });
			const { ends } = await sites.crawl(['h.test/'], { ownSites, delay: 0 });
			expect(ends).toEqual({ 'h.test/': 'deferred robots-unreachable' });
			expect(sites.pages('h.test')).toEqual([]);
			expect(asked('/robots.txt').times).toBe(3);
		},
	);
});

it('C2-41 a 503 without Retry-After pauses a host of others for a minute', async () => {
	await sites.serve({ ...five, 'h.test/robots.txt': onceThen({ status: 503 }, rules) });
	await sites.crawl(['h.test/']);
	expect(sites.gaps('h.test')[0]).toBeGreaterThanOrEqual(60_000);
});

it('C2-40 the target of a robots.txt redirect and a chained robots2.txt are retried too, each on its own host', async () => {
	await sites.serve({
		...five,
		'h.test/robots.txt': { status: 302, headers: { Location: '/rules' } },
		'h.test/rules': onceThen({ reset: true }, plain('User-agent: *\nDisallow: /1\n')),
		'i.test/': htmlPage('I'),
	});
	const { ends } = await sites.crawl(['h.test/', 'i.test/']);
	expect(ends['h.test/1']).toBe('refused robots-disallow');
	expect(sites.web.paths('h.test').slice(0, 4)).toEqual(['/robots.txt', '/rules', '/rules', '/robots2.txt']);
});

it('C2-40 other hosts continue meanwhile, and --retries 0 retries nothing', async () => {
	await sites.serve({
		...five,
		'h.test/robots.txt': { status: 503 },
		'i.test/': htmlPage('I', ['/1']),
		'i.test/1': htmlPage('1'),
	});
	const { ends } = await sites.crawl(['h.test/', 'i.test/'], { concurrency: 1 });
	expect(ends).toMatchObject({ 'i.test/1': 'fetched', 'h.test/': 'deferred robots-unreachable' });
	const last = (host: string) => sites.web.log.findLast((request) => request.host === host)?.at ?? 0;
	expect(last('i.test')).toBeLessThan(last('h.test'));
	await sites.serve({ ...five, 'h.test/robots.txt': { status: 503 } });
	await sites.crawl(['h.test/'], { retries: 0 });
	expect(asked('/robots.txt').times).toBe(1);
});
