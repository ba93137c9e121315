import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { commands } from '../command-list.ts';
import { run } from '../program.ts';
import { type Publisher, type PublisherOptions, startPublisher } from '../testing/publisher.ts';
import { recordingTerminal } from '../testing/recorder.ts';

const page = (
	title: string,
	links: readonly string[] = [],
) => `<!doctype html><html lang="en"><head><title>${title}</title>
<style>.x{color:red}</style></head><body><nav>Menu entry</nav><main><article><h1>${title}</h1>
<p>The ${title} of this coast are written down twice a day, by a sensor that nobody has to visit.</p>
<p>Its readings are sent by radio to the harbour, where they are kept for as long as there is paper.</p>
${links.map((link) => `<a href="${link}">To ${link}</a>`).join('\n')}</article></main></body></html>`;
const pages = { '/': page('Tides', ['/moon', '/sun']), '/moon': page('Moons'), '/sun': page('Suns') };
const closed = 'User-agent: *\nDisallow: /\n';

let publisher: Publisher;
afterEach(() => publisher.close());

async function crawl(options: Partial<PublisherOptions>, ...flags: string[]) {
	publisher = await startPublisher({ pages, robots: closed, ...options });
	const cwd = mkdtempSync(join(tmpdir(), 'wayleave-som-'));
	const terminal = recordingTerminal(cwd);
	const argv = ['crawl', `${publisher.origin}/`, '--delay', '0', '--retries', '0', '--out', 'o.jsonl', '--outcomes'];
	const exitCode = await run([...argv, ...flags], terminal, commands);
	const lines = readFileSync(join(cwd, 'o.jsonl'), 'utf8').trim().split('\n').filter(Boolean);
	const results = lines.map((line) => JSON.parse(line)) as Record<string, never>[];
	const isHtml = (entry: string) => /^\w+ \/(?:moon|sun)?$/.test(entry);
	return { exitCode, results, html: publisher.log.filter(isHtml), terminal, log: publisher.log };
}

it('SOM-18 a site that forbids everything and offers an endpoint is crawled by it, and no page is asked for', async () => {
	const { exitCode, results, html, log } = await crawl({});
	expect(exitCode).toBe(0);
	expect(html).toEqual([]);
	expect(results.map(({ url }) => url)).toEqual(['/', '/moon', '/sun'].map((path) => publisher.origin + path));
	for (const result of results) {
		expect(result).toMatchObject({
			outcome: 'fetched',
			document: { source: { url: result.url } },
			representation: {
				...{ kind: 'som', why: 'page-disallowed', layer: 'robots', scope: 'main-content' },
				signedBy: expect.stringMatching(/^[\w-]{43}$/),
				bytes: expect.any(Number),
				tokens: expect.any(Number),
			},
		});
	}
	expect(log.filter((entry) => entry.startsWith('GET /v1/som?url=')).length).toBe(3);
});

it('SOM-17 an allowed site is read by the endpoint, or as HTML for who prefers that', async () => {
	const { results, html } = await crawl({ robots: '' });
	expect(html).toEqual([]);
	expect(results[0]).toMatchObject({ representation: { kind: 'som', why: 'announced' } });
	await publisher.close();
	const other = await crawl({ robots: '' }, '--prefer', 'html');
	expect(other.log.filter((entry) => entry.includes('/v1/som'))).toEqual([]);
	expect(other.results[0]).toMatchObject({ representation: { kind: 'html', why: 'preferred' } });
});

const altered = async (_: string, good: () => Promise<Response>) => {
	const answer = await good();
	return new Response((await answer.text()).replace('coast', 'toast'), { headers: answer.headers });
};

function megabytes(count: number): ReadableStream<Uint8Array> {
	const one = new Uint8Array(1_000_000).fill(0x20);
	let left = count;
	return new ReadableStream({
		pull(controller) {
			if (left-- > 0) controller.enqueue(one);
			else controller.close();
		},
	});
}

it.each<[string, NonNullable<PublisherOptions['endpoint']>, string]>([
	['is down', async () => new Response('', { status: 500 }), 'SOM: the SOM endpoint responded with 500'],
	['serves a wrong signature', altered, 'SOM: wrong signature: '],
	[
		'serves the document of another site',
		async () =>
			new Response('{"som_version":"0.1","url":"https://else.example/","title":"","lang":"en","regions":[],"meta":{}}'),
		'SOM: the document describes another page: https://else.example/',
	],
	['serves 50 MB', async () => new Response(megabytes(50)), 'SOM: too-large'],
	['serves HTML', async () => new Response('<!doctype html><p>Sign in'), 'SOM: the response is HTML'],
])('SOM-36 an endpoint that %s: HTML where it is allowed, else a refusal', async (_, endpoint, detail) => {
	const shut = await crawl({ endpoint });
	expect(shut.html).toEqual([]);
	expect(shut.exitCode).toBe(1);
	expect(shut.results).toMatchObject([
		{ outcome: 'refused', reason: 'robots-disallow', evidence: [{ text: 'Disallow: /' }] },
	]);
	expect(String(shut.results[0]?.detail).startsWith(detail)).toBe(true);
	await publisher.close();
	const open = await crawl({ endpoint, robots: '' }, '--max-pages', '1');
	expect(open.html).toEqual(['GET /']);
	expect(open.results[0]).toMatchObject({ outcome: 'fetched', representation: { kind: 'html', why: 'not-usable' } });
});

it('AMB-78 an endpoint that refuses has decided, also where the page itself is allowed', async () => {
	const endpoint = async () => new Response('', { status: 403 });
	for (const robots of [closed, '']) {
		const { results, html } = await crawl({ endpoint, robots });
		expect(results).toMatchObject([{ outcome: 'refused', reason: 'http-403' }]);
		expect(html).toEqual([]);
		if (robots === closed) await publisher.close();
	}
});

it('wayleave som: a file in three forms and with a budget, a URL on the terms of its site', async () => {
	publisher = await startPublisher({ pages, robots: 'User-agent: *\nDisallow: /moon\n' });
	const cwd = mkdtempSync(join(tmpdir(), 'wayleave-som-'));
	const long = page('Tides').replace(
		'</article>',
		`${'<p>More of the same water, and more, and more.</p>'.repeat(40)}</article>`,
	);
	writeFileSync(join(cwd, 'a.html'), long);
	const som = async (...argv: string[]) => {
		const terminal = recordingTerminal(cwd);
		return { code: await run(argv, terminal, commands), out: terminal.stdout(), err: terminal.stderr() };
	};
	const file = ['som', 'a.html', '--url', 'https://h.example/a'];
	const whole = await som(...file);
	expect(JSON.parse(whole.out)).toMatchObject({ url: 'https://h.example/a', title: 'Tides' });
	expect(whole.err).toMatch(
		/^HTML [\d.]+ kB, [\d,]+ tokens → SOM\/1.0 [\d.]+ kB, [\d,]+ tokens: [\d.]+ times fewer tokens\n$/,
	);
	expect((await som(...file, '--scope', 'main-content')).out).not.toContain('Menu entry');
	expect((await som(...file, '--format', 'markdown')).out).toContain('# Tides\n');
	expect(JSON.parse((await som(...file, '--format', 'accessibility-tree')).out).role).toBe('document');
	expect((await som(...file, '--budget', 'none')).out.length).toBeGreaterThan(whole.out.length);
	expect((await som(...file, '--budget', '300')).err).toMatch(/left out to fit the budget: /);
	expect((await som('som', 'a.html')).code).toBe(2);
	expect((await som(...file, '--budget', 'few')).code).toBe(2);

	const url = await som('som', `${publisher.origin}/`, '--delay', '0');
	expect(JSON.parse(url.out)).toMatchObject({ url: `${publisher.origin}/`, title: 'Tides' });
	// A page so small has fewer tokens as HTML.
	expect(url.err).toMatch(/tokens: 1\.\d times as many tokens/);
	const offered = await som('fetch', `${publisher.origin}/moon`, '--format', 'som', '--delay', '0');
	expect(JSON.parse(offered.out)).toMatchObject({ url: `${publisher.origin}/moon`, title: 'Moons' });
	expect(publisher.log).not.toContain('GET /moon');
	expect((await som('som', `${publisher.origin}/none`, '--delay', '0')).code).toBe(1);
});
