import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWeb, type TestAnswer, type TestWeb } from '../../../crawler/src/testing/web.ts';
import { apart, connectHttp, connectStdio, fromOwnServers, textOf } from '../testing/clients.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';
import { cutPart, outlineOf } from './blocks.ts';
import { SessionCopies } from './session-copies.ts';

interface Part {
	readonly url: string;
	readonly part: { readonly start: number; readonly end: number; readonly total: number; readonly next_start?: number };
	readonly untrusted: { readonly title?: string; readonly markdown: string; readonly notice: string };
}

const sentence = 'The sea rises twice a day at the quay, and the boats of the harbour rise with it — 🌊 included. ';
const paragraphs = (characters: number, each = 900): string => {
	const one = sentence.repeat(Math.ceil(each / sentence.length)).trim();
	return Array.from({ length: Math.ceil(characters / one.length) }, (_, at) => `<p>${at}. ${one}</p>`).join('\n');
};
const lists = (characters: number): string => {
	const items = Array.from({ length: 8 }, (_, at) => `<li>${at} ${sentence}</li>`).join('');
	return `<p>A list.</p><ul>${items}</ul>`.repeat(Math.ceil(characters / 850));
};
const html = (title: string, body: string) =>
	`<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${body}</main></html>`;
const sections = ['Tides', 'Currents', 'Tides', 'The wind & the waves']
	.map((name, at) => `<h2 id="s${at}">${name}</h2>${paragraphs(5000)}<h3>Details of ${at}</h3>${paragraphs(2000)}`)
	.join('');
const pages: Record<string, TestAnswer> = {
	'/million': page(html('A million', paragraphs(1_000_000))),
	'/long': page(html('Long', lists(340_000))),
	'/line': page(html('One paragraph', `<p>${sentence.repeat(600)}</p>`)),
	'/sections': page(html('Sections', sections)),
	'/fenced.md': {
		headers: { 'content-type': 'text/markdown' },
		body: `# Code\n\n\`\`\`\n${'a line\n\n# not a heading\n\n'.repeat(300)}\`\`\`\n\n## After\n\nEnd.\n`,
	},
	'/short': page(html('Short', '<p>Boats come in with the tide.</p>')),
};
const secret: Record<string, TestAnswer> = {
	'/robots2.txt': { headers: { 'content-type': 'text/plain' }, body: 'crawl: yes\nread: yes\nstore: session-only\n' },
	'/long': page(html('For this session', paragraphs(150_000))),
};

function page(body: string): TestAnswer {
	return { headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

let web: TestWeb;
beforeAll(async () => {
	web = await startWeb(({ host, path }) => (host === 'session.test' ? secret : pages)[path]);
});
afterAll(() => web.close());

const asked = (path: string) => web.log.filter((entry) => entry.path === path).length;

/** Reads a page to its end, following the line in each part. */
async function readAll(client: Client, url: string, more: Record<string, unknown> = {}): Promise<Part[]> {
	const parts: Part[] = [];
	for (let start = 0; ; ) {
		const result = await client.callTool({ name: 'fetch_document', arguments: { url, start, ...more } });
		expect(result.isError ?? false).toBe(false);
		parts.push(result.structuredContent as unknown as Part);
		const { outside, inside } = apart(textOf(result));
		expect(inside).toContain(parts.at(-1)?.untrusted.markdown);
		const line = outside.find((each) => each.startsWith('characters ')) ?? '';
		const [, next] = /^characters [\d,]+–[\d,]+ of [\d,]+; go on with start: (\d+)$/.exec(line) ?? [];
		expect(next === undefined ? undefined : Number(next)).toBe(parts.at(-1)?.part.next_start);
		if (next === undefined) return parts;
		start = Number(next);
	}
}

const joined = (parts: readonly Part[]) => parts.map(({ untrusted }) => untrusted.markdown).join('');

describe('long pages over HTTP', () => {
	let service: TestService;
	let client: Client;
	beforeEach(async () => {
		service = await startService({ fetching: testSites(web.lookup, 'long.test', 'session.test') });
		client = await connectHttp(service.url);
	});
	afterEach(async () => {
		await client.close();
		await service.close();
	});
	const fetchPart = (given: Record<string, unknown>) => client.callTool({ name: 'fetch_document', arguments: given });

	it('S2-12 a million characters are read to their end with one request to the site', { timeout: 60_000 }, async () => {
		const url = web.url('long.test', '/million');
		const before = asked('/million');
		const parts = await readAll(client, url);
		const stored = await service.post('/v1/aidocument', { url });
		const whole = ((await stored.json()) as { content: { markdown: string } }).content.markdown;
		expect(whole.length).toBeGreaterThan(1_000_000);
		expect(joined(parts) === whole).toBe(true);
		expect(parts.length).toBeGreaterThan(24);
		expect(asked('/million') - before).toBe(1);
	});

	it('S2-11 a part ends between two blocks, and says how to continue', async () => {
		const result = await fetchPart({ url: web.url('long.test', '/long') });
		const { part, untrusted } = result.structuredContent as unknown as Part;
		const line = apart(textOf(result)).outside.find((each) => each.startsWith('characters '));
		const shown = (count: number) => count.toLocaleString('en-US');
		expect(line).toBe(`characters 0–${shown(part.end)} of ${shown(part.total)}; go on with start: ${part.end}`);
		expect(part.end).toBeGreaterThan(38_000);
		expect(part.end).toBeLessThanOrEqual(40_000);
		expect(untrusted.markdown).toMatch(/\S\n\n$/);
		const last = await fetchPart({ url: web.url('long.test', '/long'), start: part.total - 100 });
		expect(textOf(last)).toMatch(/^characters [\d,]+–[\d,]+ of [\d,]+; this is the end$/m);
	});

	it('S2-12 max_characters asks for less, and a start beyond the end is an error', async () => {
		const url = web.url('long.test', '/long');
		const parts = await readAll(client, url, { max_characters: 7000 });
		expect(Math.max(...parts.map(({ untrusted }) => untrusted.markdown.length))).toBeLessThanOrEqual(7000);
		expect(joined(parts).length).toBe(parts[0]?.part.total);
		const beyond = await fetchPart({ url, start: 10_000_000 });
		expect([beyond.isError, textOf(beyond)]).toEqual([true, expect.stringContaining('characters, and ends there')]);
		for (const given of [{ start: -1 }, { max_characters: 5 }, { max_characters: 2_000_000 }, { start: 1.5 }])
			expect((await fetchPart({ url, ...given })).isError).toBe(true);
	});

	it('S2-12 a paragraph longer than a part is cut between words, and none of it is lost', async () => {
		const parts = await readAll(client, web.url('long.test', '/line'), { max_characters: 5000 });
		for (const { untrusted, part } of parts.slice(0, -1))
			if (part.start > 100) expect(untrusted.markdown).toMatch(/[ \n]$/);
		expect(joined(parts).length).toBe(parts[0]?.part.total);
	});

	it('S2-12 a page that may not be stored is read to its end in its session', async () => {
		const url = web.url('session.test', '/long');
		const before = asked('/long');
		const parts = await readAll(client, url);
		expect(joined(parts).length).toBe(parts[0]?.part.total);
		expect(parts.length).toBeGreaterThan(3);
		expect(asked('/long') - before).toBe(1);
		const other = await connectHttp(service.url);
		await other.callTool({ name: 'fetch_document', arguments: { url, start: 1000 } });
		expect(asked('/long') - before).toBe(2);
		await other.close();
	});

	it('S2-12 no other key gets a copy of one key, whatever session it names', async () => {
		const keyed = await startService({ open: false, fetching: testSites(web.lookup, 'session.test') });
		const url = web.url('session.test', '/long');
		const ask = async (token: string, start: number) => {
			const message = {
				jsonrpc: '2.0',
				id: 1,
				method: 'tools/call',
				params: { name: 'fetch_document', arguments: { url, start } },
			};
			const headers = {
				authorization: `Bearer ${token}`,
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				'mcp-session-id': 'the-same',
			};
			const response = await fetch(`${keyed.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) });
			expect(await response.text()).toContain('The sea rises');
		};
		const [first, second] = [await keyed.key(), await keyed.key()];
		const before = asked('/long');
		await ask(first, 0);
		await ask(first, 1000);
		expect(asked('/long') - before).toBe(1);
		await ask(second, 1000);
		expect(asked('/long') - before).toBe(2);
		await keyed.close();
	});

	it('a section is found by its heading or its id, and an unknown heading returns the list of headings', async () => {
		const url = web.url('long.test', '/sections');
		const before = asked('/sections');
		const section = async (name: string) => {
			const result = await fetchPart({ url, section: name });
			return { result, text: textOf(result), part: result.structuredContent as unknown as Part | undefined };
		};
		const currents = await section('currents');
		expect(currents.part?.untrusted.markdown).toMatch(/^## Currents\n[\s\S]*### Details of 1\n/);
		expect(currents.part?.untrusted.markdown).not.toMatch(/## Tides|Details of 0/);
		expect((await section('  the WIND & the waves')).part?.untrusted.markdown).toMatch(/^## The wind/);
		expect((await section('#s1')).part?.untrusted.markdown).toMatch(/^## Currents/);
		expect((await section('Tides')).text).toContain('2 sections have this heading');
		const details = await section('Details of 2');
		expect(details.part?.untrusted.markdown).toMatch(/^### Details of 2\n/);
		expect(details.part?.untrusted.markdown).not.toContain('wind');
		const wrong = await section('Curents');
		expect(wrong.result.isError).toBe(true);
		expect(apart(wrong.text).inside).toContain('nearest heading: Currents');
		expect(apart(wrong.text).inside).toContain('Tides | Details of 0 | Currents');
		expect(asked('/sections') - before).toBe(1);
		const long = await readAll(client, url, { section: 'Currents', max_characters: 3000 });
		expect(joined(long)).toBe(currents.part?.untrusted.markdown);
	});

	it('a part does not end inside a code block if it can end elsewhere, and code lines are not headings', async () => {
		const url = web.url('long.test', '/fenced.md');
		const first = (await fetchPart({ url, max_characters: 1000 })).structuredContent as unknown as Part;
		expect(first.untrusted.markdown).toBe('# Code\n\n');
		expect((await fetchPart({ url, section: 'not a heading' })).isError).toBe(true);
		const after = (await fetchPart({ url, section: 'After' })).structuredContent as unknown as Part;
		expect(after.untrusted.markdown.trim()).toBe('## After\n\nEnd.');
	});

	it('a page that fits does not mention parts', async () => {
		const result = await fetchPart({ url: web.url('long.test', '/short') });
		expect(textOf(result)).not.toContain('characters ');
		expect(result.structuredContent).toMatchObject({ part: { start: 0 }, untrusted: { title: 'Short' } });
	});
});

it('S2-12 over stdin and stdout, a page that may not be stored is requested once', { timeout: 60_000 }, async () => {
	const local = await startWeb(({ path }) => secret[path]);
	const client = await connectStdio(...fromOwnServers);
	const parts = await readAll(client, `http://127.0.0.1:${local.port}/long`);
	expect(parts.length).toBeGreaterThan(3);
	expect(local.log.filter(({ path }) => path === '/long')).toHaveLength(1);
	await client.close();
	await local.close();
});

it('headings are read in all Markdown syntaxes, without their markup', () => {
	const text = [
		'Tide tables',
		'===========',
		'',
		'## [High *water*](https://a.test/) `today` ##',
		'',
		'Low water',
		'---------',
		'- a list',
		'---',
		'    # code',
		'~~~ md',
		'# code',
		'~~~',
		'### A\\_B snake_case_name',
		'#no heading',
		'######',
	].join('\n');
	expect(outlineOf(text).headings.map(({ level, text: heading }) => `${level} ${heading}`)).toEqual([
		'1 Tide tables',
		'2 High water today',
		'2 Low water',
		'3 A_B snake_case_name',
		'6 ',
	]);
	expect(outlineOf(text).headings.map(({ start }) => text.slice(start, start + 3))).toEqual([
		'Tid',
		'## ',
		'Low',
		'###',
		'###',
	]);
});

it('a cut never splits a character', () => {
	const text = '🌊'.repeat(500);
	for (let start = 0; start < text.length; ) {
		const { end } = cutPart(text, outlineOf(text), start, 101);
		expect(text.slice(start, end)).toMatch(/^(?:🌊)+$/u);
		start = end;
	}
});

it('copies of a session are bounded, expire, and are dropped when their owner removes the page', () => {
	let now = 0;
	const copies = new SessionCopies({ maxBytes: 20_000, ttl: 1000, now: () => now });
	const document = (characters: number) => ({ content: { markdown: 'x'.repeat(characters) }, structure: {} });
	const put = (session: string, url: string, characters = 2000) =>
		copies.put(session, url, { url, outcome: 'fetched', document: document(characters) } as never);
	for (const url of ['a', 'b', 'c', 'd']) put('one', url);
	expect(['a', 'b', 'c', 'd'].map((url) => copies.get('one', url) !== undefined)).toEqual([false, true, true, true]);
	expect(copies.get('two', 'b')).toBeUndefined();
	put('one', 'large', 20_000);
	expect(copies.get('one', 'large')).toBeUndefined();
	copies.forget(['b']);
	expect(copies.get('one', 'b')).toBeUndefined();
	copies.put('one', 'c', { url: 'c', outcome: 'gone', depth: 0, at: '' });
	expect(copies.get('one', 'c')).toBeUndefined();
	now = 1000;
	expect(copies.get('one', 'd')).toBeUndefined();
});
