import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Addresses } from './addresses.ts';
import { Looks } from './dom/looks.ts';
import { parseHtml } from './dom/parse.ts';
import { decodeHtml, extract } from './index.ts';
import { toMarkdown } from './markdown/index.ts';
import { cases } from './testing/cases.ts';

interface ReportedCase {
	readonly id: string;
	readonly kind: string;
	readonly symptom: string;
	readonly input?: string;
	readonly head?: string;
	readonly noFiller?: boolean;
	readonly articleStyle?: string;
	readonly articleClass?: string;
	readonly must?: readonly string[];
	readonly mustNot?: readonly string[];
	readonly meta?: readonly [string, string];
}

const urlOfCase = 'https://case.test/page';

function markdownOf(html: string): string {
	const { body, styles } = parseHtml(html);
	const looks = new Looks(styles, body);
	return toMarkdown([body], { addresses: new Addresses(urlOfCase), skip: (element) => looks.hides(element) });
}

function titled<T extends { id: string; symptom: string }>(list: readonly T[]): [string, T][] {
	return list.map((one) => [`${one.id} ${one.symptom}`, one]);
}

const filler = Array.from(
	{ length: 8 },
	(_, i) =>
		`<p>Paragraph number ${i + 1} tells of a harbour town in which the boats come home late, and of the people who wait for them on the quay.</p>`,
).join('\n');

function page(body: string, { head = '<title>Case</title>', style = '', name = '', bare = false } = {}): string {
	return `<!doctype html><html lang="en"><head>${head}</head><body><article class="${name}" style="${style}"><h1>A case</h1>${bare ? '' : filler}${body}</article></body></html>`;
}

describe('hard inputs from public reports, rewritten', () => {
	it.each(titled(cases.filter(({ kind }) => kind === 'fragment')))('%s', (_, { input, must = [], mustNot = [] }) => {
		const markdown = markdownOf(input);
		for (const pattern of must) expect(markdown).toMatch(pattern);
		for (const pattern of mustNot) expect(markdown).not.toMatch(pattern);
	});

	it.each(titled(cases.filter(({ kind }) => kind === 'page')))(
		'%s',
		(_, { input, must = [], mustNot = [], style, name, bare }) => {
			const { markdown } = extract(
				page(input, { ...(style && { style }), ...(name && { name }), ...(bare && { bare }) }),
				urlOfCase,
			);
			for (const pattern of must) expect(markdown).toMatch(pattern);
			for (const pattern of mustNot) expect(markdown).not.toMatch(pattern);
		},
	);

	it.each(titled(cases.filter(({ kind }) => kind === 'metadata')))('%s', (_, { input, head = '', field, value }) => {
		const extraction = extract(`<html><head>${head}</head><body>${input}</body></html>`, urlOfCase);
		expect(read(extraction, field!)).toEqual(value);
	});
});

function read(extraction: ReturnType<typeof extract>, field: string): unknown {
	return field.startsWith('page.') ? extraction.page[field.slice(5) as 'title'] : extraction[field as 'title'];
}

const originals = JSON.parse(
	readFileSync(new URL('../../../vectors/extract/cases.json', import.meta.url), 'utf8'),
) as ReportedCase[];

function regular(source: string): RegExp {
	const [, pattern, flags] = /^\/(.*)\/([a-z]*)$/s.exec(source)!;
	return new RegExp(pattern!, flags);
}

/** Inputs that the file only describes. */
const generated: Record<string, string> = {
	'XB-121': `<p>See <svg viewBox="0 0 1 1"><path d="${'1 2 '.repeat(2000)}"/><title>icon</title></svg> this.</p>`,
	'XB-139': `${'<blockquote>'.repeat(3000)}deep`,
	'XB-140': `${'<div>'.repeat(50_000)}x1`,
};

describe('faults of other extractors from public reports', () => {
	const withPatterns = originals.filter(({ must, mustNot }) => must !== undefined || mustNot !== undefined);

	it.each(titled(withPatterns))(
		'%s',
		(_, { id, kind, input, noFiller, articleStyle, articleClass, must = [], mustNot = [] }) => {
			const html = generated[id] ?? input ?? '';
			const markdown =
				kind === 'fragment'
					? markdownOf(html)
					: extract(
							page(html, { style: articleStyle ?? '', name: articleClass ?? '', bare: noFiller ?? false }),
							urlOfCase,
						).markdown;
			for (const pattern of must) expect(markdown).toMatch(regular(pattern));
			for (const pattern of mustNot) expect(markdown).not.toMatch(regular(pattern));
		},
	);

	it.each(titled(originals.filter(({ meta }) => meta !== undefined)))('%s', (_, { head, input, meta }) => {
		const [field, wanted] = meta!;
		const extraction = extract(`<html><head>${head}</head><body>${input}</body></html>`, urlOfCase);
		const value =
			field === 'author'
				? extraction.page.author?.join(', ')
				: field === 'title'
					? (extraction.page.title ?? '')
					: read(extraction, field);
		if (wanted.startsWith('/')) expect(value).toMatch(regular(wanted));
		else expect(value).toBe(wanted);
	});

	it('every case of the file is run here or with the charset tests', () => {
		const run = originals.filter(({ must, mustNot, meta }) => must ?? mustNot ?? meta);
		const others = originals.filter((one) => !run.includes(one)).map(({ id }) => id);
		expect(others).toEqual(['XB-56', 'XB-57', 'XB-60']);
	});
});

it('bytes to Markdown: a Shift_JIS page without any declaration', () => {
	const bytes = Uint8Array.from(
		[...'<p>']
			.map((c) => c.charCodeAt(0))
			.concat([0x82, 0xb1, 0x82, 0xea, 0x82, 0xcd, 0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x82, 0xc5, 0x82, 0xb7]),
	);
	expect(markdownOf(decodeHtml(bytes).text)).toBe('これは日本語です');
});
