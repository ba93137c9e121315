import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonlSink } from '../sinks/jsonl.ts';
import { markdownSink } from '../sinks/markdown.ts';
import { streamSink } from '../sinks/stream.ts';
import { openStore } from '../store/sql/open.ts';
import { everythingIn } from '../testing/kept.ts';
import { plain, type Sites, useSites } from '../testing/sites.ts';
import { htmlPage } from '../testing/web.ts';

const sites = useSites();
const site = (robots2: string | number, more: Sites = {}): Sites => ({
	'h.test/': htmlPage('Zebra', ['/x']),
	'h.test/x': htmlPage('Giraffe'),
	'h.test/robots2.txt': typeof robots2 === 'number' ? robots2 : plain(robots2),
	...more,
});

it('the search in a store finds what it looks for', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-kept-'));
	await sites.serve(site(''));
	const store = await openStore(`sqlite:${join(folder, 'crawl.db')}`);
	await sites.crawl(['h.test/'], { store });
	expect(everythingIn(folder)).toMatch(/Zebra[\s\S]*Giraffe/);
	await store.close();
	rmSync(folder, { recursive: true });
});

it('R2-02 robots2.txt is read before the first page, and its policy holds for it', async () => {
	await sites.serve(site('crawl: no\n'));
	const { results } = await sites.crawl(['h.test/']);
	expect(sites.web.paths('h.test')).toEqual(['/robots.txt', '/robots2.txt']);
	expect(results).toMatchObject([
		{
			outcome: 'refused',
			reason: 'robots2-crawl-no',
			evidence: [{ source: sites.url('h.test/robots2.txt'), line: 1, text: 'crawl: no' }],
		},
	]);
});

it.each([
	['R2-10', 'crawl: no', 'robots2-crawl-no'],
	['R2-11', 'read: no', 'robots2-read-no'],
	['R2-52', 'read: ask', 'ask-no-endpoint'],
	['R2-36', 'crawl: yes\n\n[agent: ai-assistant]\ncrawl: no', 'robots2-crawl-no'],
	['AMB-51', 'rate: 0', 'robots2-rate-zero'],
	['R2-08', 'User-agent: *\nDisallow: /', 'robots2-disallow'],
])('%s %o refuses every page', async (_, policy, reason) => {
	await sites.serve(site(`${policy}\n`));
	const { results } = await sites.crawl(['h.test/']);
	expect(results).toMatchObject([{ outcome: 'refused', reason }]);
	expect(results[0]?.evidence?.length).toBeGreaterThan(0);
	expect(sites.pages('h.test').filter((path) => !path.startsWith('/.well-known/robots2-ask?'))).toEqual([]);
});

it.each([
	['R2-03 a comment', '# crawl: no\n'],
	['R2-36 another category', '[agent: data-harvester]\ncrawl: no\n'],
	['R2-09 another agent', 'User-agent: GPTBot\nDisallow: /\n'],
	['R2-31 polite', 'rate: polite\n'],
])('%s changes nothing', async (_, policy) => {
	await sites.serve(site(policy));
	const { ends } = await sites.crawl(['h.test/']);
	expect(ends).toEqual({ 'h.test/': 'fetched', 'h.test/x': 'fetched' });
	expect(Math.max(...sites.gaps('h.test'))).toBeLessThan(2500);
});

it('R2-05 AMB-01 both files have to permit', async () => {
	await sites.serve(site('User-agent: *\nAllow: /\n', { 'h.test/robots.txt': plain('User-agent: *\nDisallow: /x\n') }));
	expect((await sites.crawl(['h.test/'])).ends).toEqual({
		'h.test/': 'fetched',
		'h.test/x': 'refused robots-disallow',
	});
});

it('R2-06 without the file robots.txt alone counts, and the policy is unspecified', async () => {
	await sites.serve(site(404));
	const { results } = await sites.crawl(['h.test/']);
	expect(results[0]).toMatchObject({
		outcome: 'fetched',
		policy: { uses: { read: 'unspecified', store: 'unspecified' } },
	});
});

it.each([500, 503])('AMB-46 %d on robots2.txt: no content until it answers', async (status) => {
	await sites.serve(site(status));
	const { ends } = await sites.crawl(['h.test/']);
	expect(ends).toEqual({ 'h.test/': 'deferred robots2-unreachable' });
	expect(sites.pages('h.test')).toEqual([]);
});

it('AMB-46 a page of HTML under its name is none', async () => {
	await sites.serve({ ...site(404), 'h.test/robots2.txt': '<html>crawl: no</html>' });
	expect((await sites.crawl(['h.test/'])).ends['h.test/']).toBe('fetched');
});

it('AMB-12 obligations travel beside the document, never in it', async () => {
	await sites.serve(site('attribution: required\nlink-back: preferred\nquote: short-only\n'));
	const { results } = await sites.crawl(['h.test/'], { uses: ['read', 'store', 'quote'] });
	expect(results[0]?.policy).toMatchObject({
		uses: { quote: 'limited' },
		obligations: { attribution: 'required', linkBack: 'preferred' },
		limits: { quoteWords: 49 },
	});
	expect(Object.keys(results[0]!.document!).sort()).toEqual([
		'cache',
		'content',
		'identity',
		'schema',
		'signals',
		'source',
		'structure',
	]);
});

describe('a declared use that is denied refuses the page', () => {
	it('R2-19 train', async () => {
		await sites.serve(site('train: no\n'));
		const { results } = await sites.crawl(['h.test/'], { uses: ['read', 'train'] });
		expect(results).toMatchObject([
			{ outcome: 'refused', reason: 'policy-deny', detail: 'use: train', evidence: [{ text: 'train: no' }] },
		]);
		expect((await sites.crawl(['h.test/'])).ends['h.test/']).toBe('fetched');
	});

	it.each([
		['R2-13', 'summarise'],
		['R2-17', 'derivative'],
		['R2-26', 'personalise'],
		['R2-27', 'monetise'],
	] as const)('%s %s', async (_, use) => {
		await sites.serve(site(`${use}: no\n`));
		const { results } = await sites.crawl(['h.test/'], { uses: ['read', use] });
		expect(results).toMatchObject([
			{ outcome: 'refused', reason: 'policy-deny', detail: `use: ${use}`, evidence: [{ text: `${use}: no` }] },
		]);
		expect(sites.pages('h.test')).toEqual([]);
		expect((await sites.crawl(['h.test/'])).ends['h.test/']).toBe('fetched');
	});

	it.each([
		['R2-24', 'a competitor', 'compete: no\nmarket: Shoes', 'shoes', 'refused policy-deny'],
		['R2-24', 'somebody from another market', 'compete: no\nmarket: Shoes', 'hats', 'fetched'],
		['R2-24', 'who serves a user', 'compete: no\nmarket: Shoes', undefined, 'fetched'],
		['R2-25', 'any business, where no market is named', 'compete: no', 'hats', 'refused policy-deny'],
		['R2-25', 'who serves a user, where no market is named', 'compete: no', undefined, 'fetched'],
	])('%s competing: %s', async (_, __, policy, operatorMarket, end) => {
		await sites.serve(site(`${policy}\n`));
		const identity = operatorMarket === undefined ? {} : { operatorMarket };
		const { ends, results } = await sites.crawl(['h.test/'], { identity, uses: ['read', 'store', 'compete'] });
		expect(ends['h.test/']).toBe(end);
		if (end !== 'fetched') expect(results[0]?.evidence?.[0]).toMatchObject({ line: 1, text: 'compete: no' });
	});

	it('a reservation for text and data mining', async () => {
		const tdmrep = { headers: { 'Content-Type': 'application/json' }, body: '[{"location":"*","tdm-reservation":1}]' };
		await sites.serve(site(404, { 'h.test/.well-known/tdmrep.json': tdmrep }));
		expect((await sites.crawl(['h.test/'], { uses: ['read', 'train'] })).ends['h.test/']).toBe('refused policy-deny');
		expect(sites.web.paths('h.test')).toContain('/.well-known/tdmrep.json');
	});
});

describe('signals of a page', () => {
	it.each([
		['a header', { headers: { 'Content-Type': 'text/html', 'X-Robots-Tag': 'noai' }, body: htmlPage('Zebra') }],
		['a meta tag', htmlPage('Zebra', [], '<meta name="robots" content="noai">')],
	])('noai in %s refuses a page that is wanted for training', async (_, page) => {
		await sites.serve(site(404, { 'h.test/': page }));
		const { results } = await sites.crawl(['h.test/'], { uses: ['read', 'train'] });
		expect(results).toMatchObject([{ outcome: 'refused', reason: 'policy-deny' }]);
		expect(results[0]?.document).toBeUndefined();
	});

	it.each(['nofollow', 'none'])('%s: links are known, but not followed', async (value) => {
		await sites.serve(site(404, { 'h.test/': htmlPage('Zebra', ['/x'], `<meta name="robots" content="${value}">`) }));
		const { summary } = await sites.crawl(['h.test/']);
		expect(sites.pages('h.test')).toEqual(['/']);
		expect(summary.rows).toContainEqual(
			expect.objectContaining({ outcome: 'out-of-scope', reason: 'nofollow', count: 1 }),
		);
	});
});

describe.each([
	['session-only', 'store-session-only', 'R2-21'],
	['no', 'store-no', 'R2-23'],
])('store: %s', (value, reason, id) => {
	it(`${id} AMB-10 the page is handed over, and nothing of it is on a disk`, async () => {
		const folder = mkdtempSync(join(tmpdir(), 'wayleave-session-'));
		const written: string[] = [];
		const stream = {
			write(text: string, done: () => void) {
				written.push(text);
				done();
			},
		};
		try {
			await sites.serve(site(`store: ${value}\n`));
			const store = await openStore(`sqlite:${join(folder, 'crawl.db')}`);
			const sinks = [
				jsonlSink(join(folder, 'out.jsonl'), { outcomes: true }),
				markdownSink(join(folder, 'md')),
				streamSink(stream),
			];
			const { results, ends, events } = await sites.crawl(['h.test/'], { store, sinks });
			expect(ends).toEqual({ 'h.test/': `fetched ${reason}`, 'h.test/x': `fetched ${reason}` });
			expect(results[0]?.document?.content.markdown).toContain('Zebra');
			expect(written.join('')).toContain('Zebra');
			expect(JSON.stringify(events)).not.toMatch(/Zebra|Giraffe/);
			// With its write-ahead log, as a crash would leave it, and after it was closed.
			const open = everythingIn(folder);
			await store.close();
			for (const everything of [open, everythingIn(folder)]) {
				expect(everything).not.toMatch(/Zebra|Giraffe/);
				expect(everything).toContain(reason);
			}
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	it(`${id} an interrupted crawl goes on, and hands each page over once`, async () => {
		await sites.serve(site(`store: ${value}\n`));
		const store = await openStore('memory');
		expect((await sites.crawl(['h.test/'], { store, maxPages: 1 })).ends).toMatchObject({
			'h.test/': `fetched ${reason}`,
		});
		const { results, summary } = await sites.crawl(['h.test/'], { store });
		expect(results.map(({ url, document }) => [url, document?.identity.title])).toEqual([
			[sites.url('h.test/x'), 'Giraffe'],
		]);
		expect(summary.totals.fetched).toBe(2);
		await store.close();
	});

	it('R2-22 AMB-10 a later request asks the server again', async () => {
		await sites.serve(site(`store: ${value}\n`));
		const store = await openStore('memory');
		for (let time = 0; time < 2; time++) {
			const result = await sites.fetch('h.test/', { store });
			expect(result.document?.cache).toEqual({ status: 'miss', origin_contacted: true, body_fetched: true });
		}
		expect(sites.pages('h.test')).toEqual(['/', '/']);
		await store.close();
	});

	it.each([
		['304', true],
		['the same bytes', false],
	])('deletes content stored before the site forbade it: %s', async (_, tagged) => {
		let policy = '';
		const page = { headers: { 'Content-Type': 'text/html', ...(tagged && { ETag: '"1"' }) }, body: htmlPage('Zebra') };
		await sites.serve({
			'h.test/': ({ headers }) => (tagged && headers['if-none-match'] === '"1"' ? { status: 304 } : page),
			'h.test/robots2.txt': () => plain(policy),
		});
		const store = await openStore('memory');
		await sites.crawl(['h.test/'], { store });
		expect(await store.pages.snapshot(sites.url('h.test/'))).toBeDefined();
		policy = `store: ${value}\n`;
		sites.clock.advance(25 * 3600_000);
		const { ends, results } = await sites.crawl(['h.test/'], { store });
		expect(ends).toEqual({ 'h.test/': `unchanged ${reason}` });
		expect(results[0]?.document?.content.markdown).toContain('Zebra');
		expect(await store.pages.snapshot(sites.url('h.test/'))).toBeUndefined();
		await store.close();
	});

	it.each([
		['can be read', htmlPage('Zebra')],
		['is forbidden too', htmlPage('Zebra'), 'crawl: no\n'],
		['may not be read', htmlPage('Zebra'), 'read: no\n'],
		['is gone', 410],
		['does not answer', 500],
		['leads elsewhere', { status: 301, headers: { Location: '/x' } }],
	])(
		`${id} what was kept before goes from the store and the Markdown folder, where the page %s`,
		async (_, later, more = '') => {
			const folder = mkdtempSync(join(tmpdir(), 'wayleave-withdrawn-'));
			const database = `sqlite:${join(folder, 'crawl.db')}`;
			const crawl = async () => {
				const store = await openStore(database);
				const sinks = [jsonlSink(join(folder, 'out.jsonl')), markdownSink(join(folder, 'md'))];
				const { results } = await sites.crawl(['h.test/'], { store, sinks, retries: 0 });
				await store.close();
				return results;
			};
			try {
				let policy = '';
				let page: Sites[string] = htmlPage('Zebra');
				await sites.serve({
					'h.test/': () => page as string,
					'h.test/x': htmlPage('Giraffe'),
					'h.test/robots2.txt': () => plain(policy),
				});
				await crawl();
				expect(everythingIn(folder)).toContain('Zebra');
				policy = `store: ${value}\n${more}`;
				page = later;
				sites.clock.advance(25 * 3600_000);
				await crawl();
				expect(everythingIn(folder)).not.toMatch(/Zebra/);
			} finally {
				rmSync(folder, { recursive: true });
			}
		},
	);

	it(`${id} AMB-10 when the site lets it be kept again, the page is read as a whole`, async () => {
		let policy = `store: ${value}\n`;
		const page = { headers: { 'Content-Type': 'text/html', ETag: '"1"' }, body: htmlPage('Zebra') };
		await sites.serve({
			'h.test/': ({ headers }) => (headers['if-none-match'] === '"1"' ? { status: 304 } : page),
			'h.test/robots2.txt': () => plain(policy),
		});
		const store = await openStore('memory');
		const again = () => {
			sites.clock.advance(25 * 3600_000);
			return sites.crawl(['h.test/'], { store });
		};
		await again();
		expect((await again()).ends).toEqual({ 'h.test/': 'unchanged not-modified' });
		policy = '';
		const { results } = await again();
		expect(results).toMatchObject([{ outcome: 'fetched', document: { identity: { title: 'Zebra' } } }]);
		expect(await store.pages.snapshot(sites.url('h.test/'))).toBeDefined();
		await store.close();
	});
});
