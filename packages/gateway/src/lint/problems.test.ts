import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reasonTexts } from '../../../crawler/src/model/outcome.ts';
import { allProblems, explain, type LintCode } from './problems.ts';

/** A sentence, alone or with the severity of its code. */
type Row = string | { readonly severity: string; readonly sentence: string };
type Table = Readonly<Record<string, Row>>;

/** The tables of all packages: what is exported as `…Problems` from a file called problems.ts. */
async function readTables(): Promise<Map<string, Table>> {
	const packages = new URL('../../../', import.meta.url);
	const files = readdirSync(packages, { recursive: true, encoding: 'utf8' })
		.map((name) => name.split(sep).join('/'))
		.filter((name) => /^[^/]+\/src\/.*\bproblems\.ts$/.test(name));
	const tables = new Map<string, Table>();
	for (const file of files) {
		const module: Record<string, unknown> = await import(new URL(file, packages).href);
		for (const [name, value] of Object.entries(module)) {
			if (/^(?!all)\w+Problems$/.test(name) && typeof value === 'object') tables.set(`${file} ${name}`, value as Table);
		}
	}
	return tables;
}

const tables = await readTables();
// The reasons of a crawl are no problems of a file, and have pages all the same.
tables.set('crawler reasons', reasonTexts);
const entries = [...tables.values()].flatMap((table) => Object.entries(table));
const codes = entries.map(([code]) => code);

const folder = new URL('../../../../docs/problems/', import.meta.url);
const pages = readdirSync(folder)
	.filter((name) => name.endsWith('.md') && name !== 'README.md')
	.map((name) => name.slice(0, -3));

describe('every problem code', () => {
	it('is found by this test', () => {
		expect(tables.size).toBeGreaterThanOrEqual(8);
		expect(Object.keys(allProblems).filter((code) => !codes.includes(code))).toEqual([]);
	});

	it.each(codes)('%s has a page that is about it', (code) => {
		expect(pages).toContain(code);
		expect(readFileSync(new URL(`${code}.md`, folder), 'utf8').startsWith(`# ${code}\n`)).toBe(true);
	});

	it.each(entries)('%s has a sentence', (_, row) => {
		const sentence = typeof row === 'string' ? row : row.sentence;
		if (typeof row !== 'string') expect(['error', 'warning', 'info']).toContain(row.severity);
		expect(sentence).toMatch(/\S/);
		expect(sentence).not.toMatch(/\.$/);
	});

	it('is the only one of its name', () => {
		// A reason may be called like the problem behind it: they share the page.
		const own = [...tables].flatMap(([name, table]) => (name === 'crawler reasons' ? [] : Object.keys(table)));
		expect(own.filter((code, index) => own.indexOf(code) !== index)).toEqual([]);
	});

	it('is one that a page is about', () => {
		expect(pages.filter((page) => !codes.includes(page as LintCode))).toEqual([]);
	});
});

it('explain fills in the arguments', () => {
	const at = { severity: 'error', line: 1, column: 1 } as const;
	const explained = (format?: string) => explain({ ...at, code: 'lint-web-page', args: format ? { format } : {} });
	expect(explained('$& {x}')).toBe('this is a web page, not $& {x}');
	expect(explained('a\u0007b\u202ec')).toBe('this is a web page, not a\\u0007b\\u202ec');
	expect(explained()).toBe('this is a web page, not ');
});
