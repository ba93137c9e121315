import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Result } from '../model/result.ts';
import { fileName } from './file-name.ts';
import { jsonlSink } from './jsonl.ts';
import { formatMarkdown, markdownSink } from './markdown.ts';
import { parquetSink } from './parquet.ts';
import { streamSink } from './stream.ts';
import type { Sink } from './types.ts';
import { writeToSinks } from './write-to-sinks.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-sinks-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const result = (url: string, more: Partial<Result> = {}): Result => ({
	url,
	outcome: 'fetched',
	depth: 0,
	at: '2026-11-28T00:00:00Z',
	document: {
		source: { url, freshness_policy: 'cache_first', fetched_at: '2026-11-28T00:00:00Z' },
		identity: { title: 'A "title": with: colons' },
		content: { markdown: `# ${url}` },
	} as never,
	...more,
});
const bare = ({ document: _, ...rest }: Result): Result => rest;

describe('JSONL', () => {
	const path = () => join(folder, 'deep', 'out.jsonl');
	const lines = (file = path()) =>
		readFileSync(file, 'utf8')
			.split('\n')
			.filter((line) => line !== '')
			.map((line) => JSON.parse(line).url as string);

	it('cuts off what was written after the last commit', async () => {
		const sink = jsonlSink(path());
		await sink.open(undefined);
		const position = await sink.write([result('http://h/1')]);
		await sink.write([result('http://h/lost')]);
		await sink.close();
		appendFileSync(path(), '{"url": "http://h/torn');
		const again = jsonlSink(path());
		expect(again.name).toBe(sink.name);
		await again.open(position);
		await again.write([result('http://h/2')]);
		await again.close();
		expect(lines()).toEqual(['http://h/1', 'http://h/2']);
	});

	it('begins anew without a position', async () => {
		const sink = jsonlSink(path());
		await sink.open(undefined);
		await sink.write([result('http://h/1')]);
		await sink.close();
		await sink.open(undefined);
		await sink.write([result('http://h/2')]);
		await sink.close();
		expect(lines()).toEqual(['http://h/2']);
	});

	it('does not go on with a file that has lost its beginning', async () => {
		const sink = jsonlSink(join(folder, 'out.jsonl'));
		writeFileSync(join(folder, 'out.jsonl'), 'short');
		await expect(sink.open('100')).rejects.toMatchObject({ code: 'sink-failed' });
	});

	it('does not go on with another file of the same name', async () => {
		writeFileSync(join(folder, 'out.jsonl'), '{"url":"http://h/of-somebody-else"}\n'.repeat(10));
		await expect(jsonlSink(join(folder, 'out.jsonl')).open('100')).rejects.toMatchObject({
			code: 'sink-failed',
			message: expect.stringContaining('move it away'),
		});
		expect(lines(join(folder, 'out.jsonl'))).toHaveLength(10);
	});

	it.each([
		['writes to it too', () => appendFileSync(path(), 'x')],
		['has begun it anew', () => writeFileSync(path(), '')],
		['takes it away', () => rmSync(path())],
	])('nothing is written on when somebody %s', async (_, interfere) => {
		const sink = jsonlSink(path());
		await sink.open(undefined);
		await sink.write([result('http://h/1')]);
		interfere();
		await expect(sink.write([result('http://h/2')])).rejects.toMatchObject({ code: 'sink-failed' });
		await expect(sink.complete?.()).rejects.toMatchObject({ code: 'sink-failed' });
		await sink.close();
	});

	it('writes outcomes without a document only when asked', async () => {
		const refused = bare(result('http://h/r', { outcome: 'refused', reason: 'robots-disallow' }));
		for (const [outcomes, count] of [
			[false, 0],
			[true, 1],
		] as const) {
			const sink = jsonlSink(path(), { outcomes });
			await sink.open(undefined);
			await sink.write([refused]);
			await sink.close();
			expect(lines().length).toBe(count);
		}
	});
});

it('a stream keeps nothing and is waited for', async () => {
	const written: string[] = [];
	const sink = streamSink({
		write(text, done) {
			written.push(text);
			setTimeout(done, 1);
		},
	});
	expect(sink.persistent).toBe(false);
	await sink.open(undefined);
	expect(await sink.write([result('http://h/1')])).toBeUndefined();
	expect(JSON.parse(written[0]!).url).toBe('http://h/1');
});

describe('Markdown', () => {
	it('has a head that YAML reads', async () => {
		const sink = markdownSink(join(folder, 'md'));
		await sink.open(undefined);
		await sink.write([result('http://h.test/a')]);
		expect(readFileSync(join(folder, 'md/h.test_80/a.md'), 'utf8')).toBe(
			'---\ntitle: "A \\"title\\": with: colons"\nurl: "http://h.test/a"\nfetched_at: "2026-11-28T00:00:00Z"\n---\n\n# http://h.test/a\n',
		);
	});

	it('escapes characters in the YAML head that YAML refuses or takes for line ends', () => {
		const title = 'a\x7f\x85\u2028\u2029\ufeff\uffff b';
		const text = formatMarkdown(result('http://h.test/a', { page: { title } as never }));
		expect(text.split('\n')[1]).toBe('title: "a\\u007f\\u0085\\u2028\\u2029\\ufeff\\uffff b"');
	});

	it('a page that is gone disappears', async () => {
		const sink = markdownSink(folder);
		await sink.open(undefined);
		await sink.write([result('http://h.test/a'), result('http://h.test/b')]);
		await sink.write([bare(result('http://h.test/a', { outcome: 'gone', reason: 'http-404' }))]);
		expect(readdirSync(join(folder, 'h.test_80'))).toEqual(['b.md']);
	});

	it.each([
		['leads elsewhere', { outcome: 'fetched', reason: 'redirected' }, false],
		['may not be kept', { outcome: 'unchanged', reason: 'store-no' }, false],
		['is no page any more', { outcome: 'failed', reason: 'unsupported-type' }, false],
		['does not answer', { outcome: 'failed', reason: 'http-500' }, true],
		['is put off', { outcome: 'deferred', reason: 'budget-spent' }, true],
	] as const)('of a page that %s', async (_, ending, stays) => {
		const sink = markdownSink(folder);
		await sink.open(undefined);
		await sink.write([result('http://h.test/a'), result('http://h.test/b')]);
		await sink.write([bare(result('http://h.test/a', ending))]);
		expect(readdirSync(join(folder, 'h.test_80')).includes('a.md')).toBe(stays);
	});

	it.each([
		['https://h.test/', 'h.test/index.md'],
		['https://h.test/a/b', 'h.test/a/b.md'],
		['https://h.test/a/b/', 'h.test/a/b/index.md'],
		['https://h.test/a.html', 'h.test/a.html.md'],
		['http://h.test/a', 'h.test_80/a.md'],
		['http://h.test:8080/a', 'h.test_8080/a.md'],
		['https://h.test/%E6%97%A5%E6%9C%AC/%E4%BA%AC', expect.stringMatching(/^h\.test\/日本\/京~[0-9a-f]{16}\.md$/)],
		['https://h.test/%D9%88%CC%81', expect.stringMatching(/^h\.test\/\u0648\u0301~[0-9a-f]{16}\.md$/)],
		['https://h.test/100%25-%E6%97', expect.stringMatching(/^h\.test\/100-25--E6-97~[0-9a-f]{16}\.md$/)],
		['https://h.test/%E2%80%AEgpj', expect.stringMatching(/^h\.test\/-gpj~[0-9a-f]{16}\.md$/)],
	])('%s is %s', (url, name) => {
		expect(fileName(url)).toEqual(name);
	});

	it('CB-71 no two pages share a file, on a disk that ignores case either', () => {
		const paths = [
			'',
			'index',
			'a',
			'A',
			'a/',
			'a.md',
			'a.md/b',
			'a.MD/b',
			'a-md/b',
			'a.md.part',
			'a.md.part/b',
			'a.md.part/b/c',
			'a?x',
			'a?y',
			'a%2Fb',
			'a/b',
			'a-b',
			'a.',
			'a..',
			'%2E%2Ea',
			'con',
			'-con',
			'a//b',
			'a/-/b',
			'%F0%9F%98%80',
			'%F0%9F%98%81',
			'%e4%ba%ac',
			'%E4%BA%AC',
			'%E4%BA%AC.md',
			'%E4%BA%AC.md/a',
			'%E4%BA%AC/a',
			'%E4%BA%AC%2Fa',
			'%C3%A9',
			'e%CC%81',
			'%C3%89',
			'%2e%2e%2fa',
			`${'%E4%BA%AC'.repeat(200)}/a`,
			'%F0%90%8E%80'.repeat(200),
			'%E4%BA%AC/'.repeat(300),
			`x${'y'.repeat(200)}`,
			`x${'y'.repeat(201)}`,
			'd/'.repeat(3000),
			`${'d/'.repeat(3000)}e`,
		];
		const long = `${'sub.'.repeat(30)}h.test`;
		const sites = ['http://h.test', 'https://h.test', 'https://h.test:80', 'http://h.test:8080', 'https://h.test:8080'];
		const more = [
			'http://h.test_8080',
			`https://a.${long}`,
			`https://a.${long}s`,
			'http://[1::2:3]',
			'http://[1:2::3]',
		];
		const urls = [...paths.map((path) => `https://h.test/${path}`), ...[...sites, ...more].map((site) => `${site}/z`)];
		const names = urls.map((url) => fileName(url).toLowerCase());
		expect(new Set(names).size).toBe(urls.length);
		for (const name of names) {
			expect(name).not.toMatch(/(?:^|\/)\.|[<>:"|?*\\]|\/\//);
			expect(names.some((other) => other.startsWith(`${name}/`))).toBe(false);
			expect(Buffer.byteLength(name)).toBeLessThan(600);
			for (const part of name.split('/')) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255);
		}
	});
});

describe('JSONL of a refresh', () => {
	const file = () => join(folder, 'out.jsonl');
	const urls = () =>
		readFileSync(file(), 'utf8')
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line).url as string);
	beforeEach(async () => {
		const sink = jsonlSink(file());
		await sink.open(undefined);
		await sink.write([result('http://h/old')]);
		await sink.complete?.();
		await sink.close();
	});

	it('takes the place of the file at its end, and leaves it as it was before', async () => {
		const sink = jsonlSink(file());
		await sink.open(undefined, true);
		await sink.write([result('http://h/1')]);
		expect(urls()).toEqual(['http://h/old']);
		await sink.complete?.();
		await sink.close();
		expect(urls()).toEqual(['http://h/1']);
		expect(readdirSync(folder)).toEqual(['out.jsonl']);
	});

	it('goes on after a crash, before it had taken the place and after', async () => {
		const first = jsonlSink(file());
		await first.open(undefined, true);
		const position = await first.write([result('http://h/1')]);
		await first.write([result('http://h/lost')]);
		await first.close();
		const second = jsonlSink(file());
		await second.open(position, true);
		const end = await second.write([result('http://h/2')]);
		await second.complete?.();
		await second.close();
		expect(urls()).toEqual(['http://h/1', 'http://h/2']);
		const third = jsonlSink(file());
		await third.open(end, true);
		await third.complete?.();
		await third.close();
		expect(urls()).toEqual(['http://h/1', 'http://h/2']);
	});
});

describe('all of something to sinks', () => {
	const broken = (at: 'open' | 'write' | 'complete' | 'close'): Sink => ({
		name: 'broken',
		persistent: true,
		async open() {},
		async write() {
			return undefined;
		},
		async close() {},
		[at]: () => Promise.reject(new Error('disk full')),
	});
	const all = (sinks: readonly Sink[], url: string) =>
		writeToSinks(sinks, (write) => write([result(url, { document: documentOf(url) })]));
	const documentOf = (url: string) => ({ ...result(url).document!, content: { markdown: url } }) as never;

	it.each(['open', 'write', 'complete', 'close'] as const)('a failed output (%s) leaves the old one', async (at) => {
		const file = (name: string) => join(folder, name);
		const before = ['a.jsonl', 'b.parquet'];
		await all([jsonlSink(file('a.jsonl')), parquetSink(file('b.parquet'))], 'http://h/old');
		const bytes = before.map((name) => readFileSync(file(name)));
		const again = [broken(at), jsonlSink(file('a.jsonl')), parquetSink(file('b.parquet'))];
		await expect(all(again, 'http://h/new')).rejects.toMatchObject({
			code: 'sink-failed',
			message: 'broken: disk full',
		});
		expect(before.map((name) => readFileSync(file(name)))).toEqual(bytes);
		expect(readdirSync(folder).sort()).toEqual(before);
	});

	it.each([
		['ENOSPC', 'broken: the disk is full: free some space and try again'],
		['EROFS', 'broken: the file system there is read-only: choose another path'],
		['EUNHEARD', 'broken: write fails'],
	])('a system error (%s) comes with advice', async (code, message) => {
		const write = () => Promise.reject(Object.assign(new Error('write fails'), { code }));
		await expect(all([{ ...broken('write'), write }], 'http://h/new')).rejects.toMatchObject({ message });
	});

	it('takes the place of what was there', async () => {
		const file = join(folder, 'a.jsonl');
		for (const url of ['http://h/old', 'http://h/new']) await all([jsonlSink(file)], url);
		expect(JSON.parse(readFileSync(file, 'utf8')).url).toBe('http://h/new');
		expect(readdirSync(folder)).toEqual(['a.jsonl']);
	});
});
