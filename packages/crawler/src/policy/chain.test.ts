import type { Use } from '@wayleave/protocols/policy';
import { expect, it } from 'vitest';
import { crawlWith } from '../engine/crawl.ts';
import type { Result } from '../model/result.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { httpsWeb, type WebPage } from '../testing/https-web.ts';
import { simpleReader } from '../testing/simple-reader.ts';
import { htmlPage } from '../testing/web.ts';
import { PolicyFiles } from './policy-files.ts';

// Chains are followed over https only, so this web has no sockets; its log is what a server would have seen.

const file = (...lines: string[]): WebPage => ({ headers: { 'Content-Type': 'text/plain' }, body: lines.join('\n') });

/** Crawls one page of `a.test`, whose robots2.txt is given first. */
async function visit(files: Record<string, WebPage>, uses: readonly Use[] = ['read']) {
	const { log, fetcher } = httpsWeb({ 'https://a.test/': htmlPage('Home'), ...files });
	const results: Result[] = [];
	const options = { fetcher, clock: new FakeClock(), sitemaps: false, uses };
	for await (const result of crawlWith(simpleReader, ['https://a.test/'], options)) results.push(result);
	const asked = log.filter(
		(url) => !/^https:\/\/a\.test\/(?:robots\.txt|llms\.txt|\.well-known\/pagedigest\.json)?$/.test(url),
	);
	return { asked, result: results[0]!, log };
}

const five = {
	'https://a.test/robots2.txt': file('attribution: required', 'chain: https://b.test/policy.txt'),
	'https://b.test/policy.txt': file('chain: https://c.test/policy.txt'),
	'https://c.test/policy.txt': file('chain: https://d.test/policy.txt'),
	'https://d.test/policy.txt': file('train: no', 'chain: https://e.test/policy.txt'),
	'https://e.test/policy.txt': file('crawl: no', 'chain: https://f.test/policy.txt'),
	'https://f.test/policy.txt': file('read: no'),
};

it('R2-60 R2-61 of a chain of five further files three are requested, and their directives are in force', async () => {
	const { asked, result } = await visit(five);
	expect(asked).toEqual([
		'https://a.test/robots2.txt',
		'https://b.test/policy.txt',
		'https://c.test/policy.txt',
		'https://d.test/policy.txt',
	]);
	expect(result).toMatchObject({ outcome: 'fetched', policy: { obligations: { attribution: 'required' } } });
	const { result: training } = await visit(five, ['read', 'train']);
	expect(training.evidence).toMatchObject([{ source: 'https://d.test/policy.txt', line: 1, text: 'train: no' }]);
});

it('R2-62 a loop ends at the first repeated file, with the directives of both', async () => {
	const loop = {
		'https://a.test/robots2.txt': file('attribution: required', 'chain: https://b.test/policy.txt'),
		'https://b.test/policy.txt': file('train: no', 'chain: https://a.test/robots2.txt'),
	};
	const { asked, result } = await visit(loop);
	expect(asked).toEqual(['https://a.test/robots2.txt', 'https://b.test/policy.txt']);
	expect(result).toMatchObject({ outcome: 'fetched', policy: { obligations: { attribution: 'required' } } });
	expect((await visit(loop, ['read', 'train'])).result.evidence).toMatchObject([{ text: 'train: no' }]);
});

it('R2-63 a mirror is known by its chain-id: nothing beyond it is requested, nothing of it is in force', async () => {
	const { asked, result } = await visit({
		'https://a.test/robots2.txt': file('# meta: chain-id: one', 'chain: https://mirror.test/copy.txt'),
		'https://mirror.test/copy.txt': file('# meta: chain-id: ONE', 'crawl: no', 'chain: https://c.test/policy.txt'),
		'https://c.test/policy.txt': file('read: no'),
	});
	expect(asked).toEqual(['https://a.test/robots2.txt', 'https://mirror.test/copy.txt']);
	expect(result.outcome).toBe('fetched');
});

it('R2-59 a chain in the middle of the file is not followed', async () => {
	const { asked } = await visit({
		'https://a.test/robots2.txt': file('chain: https://b.test/policy.txt', 'train: no'),
	});
	expect(asked).toEqual(['https://a.test/robots2.txt']);
});

it('AMB-48 only https is followed, and a target that leads away from it is not used', async () => {
	const plain = await visit({ 'https://a.test/robots2.txt': file('chain: http://b.test/policy.txt') });
	expect(plain.asked).toEqual(['https://a.test/robots2.txt']);
	const { result } = await visit({
		'https://a.test/robots2.txt': file('chain: https://b.test/policy.txt'),
		'https://b.test/policy.txt': { status: 301, headers: { Location: 'http://b.test/policy.txt' } },
		'http://b.test/policy.txt': file('crawl: no'),
	});
	expect(result.outcome).toBe('fetched');
});

it.each([
	['a failure', { failure: 'connect-failed' as const }],
	['a 500', { status: 500 }],
	['a page of HTML', { body: 'crawl: no' }],
])('AMB-48 %s ends the chain without error', async (_, answer) => {
	const { result } = await visit({
		'https://a.test/robots2.txt': file('attribution: required', 'chain: https://b.test/policy.txt'),
		'https://b.test/policy.txt': answer,
	});
	expect(result).toMatchObject({ outcome: 'fetched', policy: { obligations: { attribution: 'required' } } });
});

it('AMB-48 a link that could not be had is asked for again after five minutes, and its rules are in force from then on', async () => {
	let there = false;
	const { log, fetcher } = httpsWeb({
		'https://a.test/': htmlPage('Home', ['/1', '/2']),
		'https://a.test/1': htmlPage('One', ['/3']),
		'https://a.test/2': htmlPage('Two'),
		'https://a.test/3': htmlPage('Three'),
		'https://a.test/robots2.txt': file('rate: 1', 'chain: https://b.test/policy.txt'),
		'https://b.test/policy.txt': () => (there ? file('crawl: no') : { status: 500 }),
	});
	const clock = new FakeClock();
	const options = { fetcher, clock, sitemaps: false, retries: 0, maxCrawlDelay: 100_000 };
	const ends: string[] = [];
	for await (const { url, outcome } of crawlWith(simpleReader, ['https://a.test/'], options)) {
		ends.push(`${new URL(url).pathname} ${outcome}`);
		there = true;
		if (ends.length === 1) clock.advance(6 * 60_000);
	}
	expect(ends).toEqual(['/ fetched', '/1 refused', '/2 refused']);
	expect(log.filter((url) => url === 'https://b.test/policy.txt').length).toBe(2);
});

it('a policy file that was being fetched when the fetcher closed is not kept as one that cannot be had', async () => {
	const url = 'https://a.test/robots.txt';
	const saved: unknown[] = [];
	const files = new PolicyFiles({
		send: async () => ({ ok: false, url, reason: 'aborted', detail: 'the fetcher was closed' }),
		hosts: undefined as never,
		cache: {
			policyFile: async () => undefined,
			savePolicyFile: async (kept: unknown) => void saved.push(kept),
		} as never,
		clock: new FakeClock(),
		pace: new FakeClock(),
		retries: 0,
		emit: (event) => saved.push(event),
	});
	expect(await files.load(url, { host: { name: 'a.test' } } as never)).toBe('stopped');
	expect(saved).toEqual([]);
});

it('AMB-49 path rules of a chained file of another origin are not taken', async () => {
	const { result } = await visit({
		'https://a.test/robots2.txt': file('chain: https://b.test/policy.txt'),
		'https://b.test/policy.txt': file('User-agent: *', 'Disallow: /'),
	});
	expect(result.outcome).toBe('fetched');
});
