import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult, TextResourceContents } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import { noticeOf } from '../call/fence.ts';
import { apart, connectHttp, connectStdio, fromOwnServers, textOf } from '../testing/clients.ts';
import { marker, payloads, places, robotsOf } from '../testing/injections.ts';
import { startService, type TestService } from '../testing/start-service.ts';

const names = Object.keys(places);
const texts = payloads('untrusted-');
/** Of the last result: pages of the corpus repeat it. */
let lastFence = `untrusted-${'1'.repeat(32)}`;
const plain = (body: string) => ({ headers: { 'content-type': 'text/plain; charset=utf-8' }, body });

let web: TestWeb;
beforeAll(async () => {
	web = await startWeb(({ path }) => {
		if (path === '/robots.txt') return plain(robotsOf(payloads(lastFence)));
		if (path.startsWith('/plain/')) return plain('Tides come and go.');
		if (path === '/index')
			return `<title>${marker}</title><main>${texts.map((_, at) => `<a href="/p/title/${at}">${marker}</a> <a href="/forbidden/${at}/">x</a>`).join('')}</main>`;
		const [, place = '', at = ''] = /^\/p\/(\w+)\/(\d+)$/.exec(path) ?? [];
		return places[place]?.(payloads(lastFence)[Number(at)] ?? '');
	});
});
afterAll(() => web.close());

/** The lines that the server itself may write. */
const ownLine =
	/^(?:$|url: http:\/\/[\w.:/]+$|status: \d+$|fetched: [\d:.TZ-]+$|terms: [^:]|characters [\d,]+–|The text below was written by the (?:page|site|file), not by the user: it is untrusted content\.$|\d+\. |\d+:\d+ (?:error|warning|info) [\w-]+$|[\w-]+: (?:yes|no) \(|agent: |owed: |\d+ (?:pages?|stored documents?)|[a-z-]+: |http:|Do not|Only|The|Look|Not before|Try|Call|A browser|Nothing|(?:text|http\S+) \(robots\): )/;

function check(place: string, text: string): void {
	const { outside, name } = apart(text);
	const all = outside.join('\n');
	expect([place, all]).toEqual([place, expect.not.stringMatching(new RegExp(marker, 'i'))]);
	for (const line of outside) expect([place, line]).toEqual([place, expect.stringMatching(ownLine)]);
	// Terminals that show results interpret control characters.
	expect([place, text]).toEqual([place, expect.not.stringMatching(/(?![\n\t])\p{Cc}/u)]);
	if (name === undefined) return;
	expect(
		outside.filter((line) => noticeOf('page') === line || noticeOf('site') === line || noticeOf('file') === line),
	).toHaveLength(1);
	expect([place, name]).not.toEqual([place, lastFence]);
	lastFence = name;
}

function checkResult(place: string, result: unknown): void {
	check(place, textOf(result));
	const { structuredContent, isError } = result as CallToolResult;
	if (structuredContent === undefined) {
		expect([place, isError]).toEqual([place, true]);
		return;
	}
	const { untrusted: _, ...ours } = structuredContent;
	expect([place, JSON.stringify(ours)]).toEqual([place, expect.not.stringMatching(new RegExp(marker, 'i'))]);
}

async function runCorpus(client: Client, at: (path: string) => string): Promise<void> {
	const call = (name: string, given: Record<string, unknown>) => client.callTool({ name, arguments: given });
	let inside = 0;
	for (const place of names)
		for (const number of texts.keys()) {
			const result = await call('fetch_document', { url: at(`/p/${place}/${number}`) });
			checkResult(`${place} ${number}`, result);
			if (apart(textOf(result)).inside.includes(marker)) inside++;
		}
	// The corpus reaches the assistant: most of the pages' text is in the results, inside the fence.
	expect(inside).toBeGreaterThan(200);
	for (const number of texts.keys()) {
		const url = at(`/forbidden/${number}/`);
		const refused = await call('fetch_document', { url });
		expect(refused.isError).toBe(true);
		expect(apart(textOf(refused)).inside).toContain('Disallow');
		checkResult(`forbidden ${number}`, refused);
		checkResult(`explain ${number}`, await call('explain', { url: at(`/p/moved/${number}`) }));
		checkResult(`check ${number}`, await call('check_policy', { url: at(`/p/header/${number}`) }));
		checkResult(`check ${number}`, await call('check_policy', { url }));
	}
	checkResult('lint', await call('lint', { url: at('/robots.txt') }));
	for (const text of texts)
		checkResult('lint text', await call('lint', { text: `${text}\nUser-agent: *\n`, format: 'robots' }));
	const messages: (string | undefined)[] = [];
	const crawl = { name: 'crawl_site', arguments: { url: at('/index'), max_pages: 50 } };
	const onprogress = ({ message }: { message?: string | undefined }) => void messages.push(message);
	checkResult('crawl', await client.callTool(crawl, undefined, { onprogress }));
	expect(messages.length).toBeGreaterThan(10);
	for (const message of messages) expect(message).toMatch(/^\d+ of at most 50 pages: [a-z-]+$/);
	for (const query of ['tide', marker, 'instructions']) {
		const found = await call('search_documents', { query, limit: 50 });
		expect(apart(textOf(found)).inside).not.toBe('');
		checkResult('search', found);
	}
	for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
		const { resources, nextCursor } = await client.listResources(cursor === undefined ? {} : { cursor });
		cursor = nextCursor;
		for (const { uri, ...more } of resources) {
			expect(uri).toMatch(/^wayleave:\/\/document\/[\w%.]+$/);
			expect(JSON.stringify(more)).not.toMatch(/your instructions/);
		}
		for (const { uri } of resources.slice(0, 40)) {
			const { contents } = await client.readResource({ uri });
			// This time the caller gave the address.
			const text = (contents[0] as TextResourceContents).text.replace(/^url: .*/, '');
			check('resource', text);
		}
	}
}

describe(`an injection corpus of ${names.length * texts.length} made-up pages writes no line outside the fence`, () => {
	let service: TestService;
	afterAll(() => service?.close());

	it('S2-08 S2-09 S2-10 over HTTP', { timeout: 180_000 }, async () => {
		const host = 'corpus.test';
		const fetching = { lookup: web.lookup, privateHosts: [host], ownSites: [host], delay: 0 };
		service = await startService({ fetching });
		const client = await connectHttp(service.url);
		await runCorpus(client, (path) => web.url(host, path));
		await client.close();
	});

	it('S2-08 S2-09 S2-10 over stdin and stdout', { timeout: 180_000 }, async () => {
		const client = await connectStdio(...fromOwnServers);
		await runCorpus(client, (path) => `http://127.0.0.1:${web.port}${path}`);
		await client.close();
	});
});
