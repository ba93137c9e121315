import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFieldSchema } from '@wayleave/extract/fields';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Result } from '../model/result.ts';
import { jsonlSink } from '../sinks/jsonl.ts';
import { markdownSink } from '../sinks/markdown.ts';
import { parquetSink } from '../sinks/parquet.ts';
import { startWeb, type TestWeb } from '../testing/web.ts';
import { crawl } from './crawl.ts';
import { fetchDocument } from './fetch-document.ts';

const page =
	'<!doctype html><html lang="en"><title>Anvil</title><main><h1>Anvil</h1><p>It falls fast, and keeps its form for many years of hard work.</p><b class="p">9.50 €</b><dl><dt>SKU</dt><dd>A-1</dd></dl></main></html>';
let web: TestWeb;
const requests: string[] = [];
beforeAll(async () => {
	web = await startWeb(({ path, headers }) => {
		if (path.startsWith('/robots')) return undefined;
		if (path !== '/') return undefined;
		requests.push(headers['if-none-match'] === undefined ? 'whole' : 'conditional');
		if (headers['if-none-match'] !== undefined) return { status: 304 };
		return { headers: { ETag: '"1"', 'Content-Type': 'text/html' }, body: page };
	});
});
beforeEach(() => {
	requests.length = 0;
});
afterAll(() => web.close());

const options = () => ({ lookup: web.lookup, ownSites: ['a.test'], delay: 0, sitemaps: false });
const schema = (name: string) =>
	readFieldSchema({
		type: 'object',
		properties: { [name]: { type: 'number', 'x-select': '.p' }, sku: { type: 'string' } },
	});

describe('fields in a crawl', () => {
	it('every sink has them beside the document, and the page has them in the library', async () => {
		const fields = await schema('price');
		const folder = mkdtempSync(join(tmpdir(), 'wayleave-fields-'));
		const at = (name: string) => join(folder, name);
		const sinks = [
			jsonlSink(at('p.jsonl'), { fields }),
			parquetSink(at('p.parquet'), { fields }),
			markdownSink(at('md'), { fields }),
		];
		const results: Result[] = [];
		for await (const result of crawl([web.url('a.test', '/')], { ...options(), fields, sinks, threads: 1 }))
			results.push(result);
		const expected = { basis: 'html', valid: true, values: { price: 9.5, sku: 'A-1' }, schema: fields.schema };
		expect(results.map((result) => result.page?.fields)).toMatchObject([expected]);
		const line = JSON.parse(readFileSync(at('p.jsonl'), 'utf8'));
		expect(line.fields).toMatchObject(expected);
		expect(line.page).not.toHaveProperty('fields');
		const [row] = await parquetReadObjects({ file: await asyncBufferFromFile(at('p.parquet')) });
		expect(row?.fields).toEqual(line.fields);
		expect(row?.page).not.toHaveProperty('fields');
		const host = new URL(web.url('a.test', '/')).host.replace(':', '_');
		expect(readFileSync(at(`md/${host}/index.md`), 'utf8')).toContain(`fields: ${JSON.stringify(line.fields)}\n`);
	});

	it('a page that was read for another schema is read again, one for the same is not', async () => {
		const store = `sqlite:${join(mkdtempSync(join(tmpdir(), 'wayleave-fields-')), 'p.db')}`;
		const run = async (name: string) => {
			const found: unknown[] = [];
			for await (const { page } of crawl([web.url('a.test', '/')], { ...options(), store, fields: await schema(name) }))
				found.push(page?.fields?.values);
			return found;
		};
		expect(await run('price')).toEqual([{ price: 9.5, sku: 'A-1' }]);
		expect(await run('price')).toEqual([{ price: 9.5, sku: 'A-1' }]);
		expect(await run('cost')).toEqual([{ cost: 9.5, sku: 'A-1' }]);
		expect(requests).toEqual(['whole', 'conditional', 'whole']);
	});

	it('fetchDocument reads a stored page again for another schema', async () => {
		const store = `sqlite:${join(mkdtempSync(join(tmpdir(), 'wayleave-fields-')), 'p.db')}`;
		const values = async (name: string) =>
			(await fetchDocument(web.url('a.test', '/'), { ...options(), store, fields: await schema(name) })).page?.fields
				?.values;
		expect(await values('price')).toMatchObject({ price: 9.5 });
		expect(await values('price')).toMatchObject({ price: 9.5 });
		expect(requests).toEqual(['whole']);
		expect(await values('cost')).toMatchObject({ cost: 9.5 });
	});

	it('a sink fills what was not read for its schema from the document', async () => {
		const file = join(mkdtempSync(join(tmpdir(), 'wayleave-fields-')), 'p.jsonl');
		const sinks = [jsonlSink(file, { fields: await schema('price') })];
		for await (const _ of crawl([web.url('a.test', '/')], { ...options(), sinks }));
		const { fields } = JSON.parse(readFileSync(file, 'utf8'));
		expect(fields).toMatchObject({ basis: 'document', values: { sku: 'A-1' }, missing: ['/price'] });
	});
});
