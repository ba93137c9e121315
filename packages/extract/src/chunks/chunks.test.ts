import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extract } from '../extract.ts';
import { countTokens } from '../tokens/index.ts';
import { type Chunk, chunkMarkdown } from './index.ts';

const chunksOf = (markdown: string, maxTokens: number, language?: string): Chunk[] =>
	chunkMarkdown(markdown, { maxTokens, countTokens, language });

const sentence = (i: number): string => `Sentence number ${i} says that the tide is high.`;
const prose = (from: number, to: number): string =>
	Array.from({ length: to - from }, (_, i) => sentence(from + i)).join(' ');
const rows = (count: number): string =>
	['| Port | Tide |', '| --- | --: |', ...Array.from({ length: count }, (_, i) => `| Port ${i} | ${i} m |`)].join('\n');

/** What holds for every document and budget. */
function expectSound(markdown: string, chunks: readonly Chunk[], maxTokens: number): void {
	let at = 0;
	for (const { start, end, text, tokens } of chunks) {
		expect(start).toBeGreaterThanOrEqual(at);
		expect(markdown.slice(at, start).trim()).toBe('');
		expect(end).toBeGreaterThan(start);
		expect(text).toContain(markdown.slice(start, end));
		expect(tokens).toBe(countTokens(text));
		expect(tokens).toBeLessThanOrEqual(maxTokens);
		at = end;
	}
	expect(markdown.slice(at).trim()).toBe('');
	expect(new Set(chunks.map(({ id }) => id)).size).toBe(chunks.length);
}

describe('chunks of a document', () => {
	it('cuts at headings and gives each piece its headings without markup', () => {
		const markdown = `Lead.\n\n# The *sea*\n\n## [Tides](https://e.test/a_(b)) \`x_y\`\n\nOne.\n\n### Neap\n\nTwo.\n\n## 5 \\* 3\n\nThree.`;
		const chunks = chunksOf(markdown, 100);
		expect(chunks.map(({ headingPath, text }) => [headingPath, text])).toEqual([
			[[], 'Lead.'],
			[['The sea', 'Tides x_y'], '# The *sea*\n\n## [Tides](https://e.test/a_(b)) `x_y`\n\nOne.'],
			[['The sea', 'Tides x_y', 'Neap'], '### Neap\n\nTwo.'],
			[['The sea', '5 * 3'], '## 5 \\* 3\n\nThree.'],
		]);
		expectSound(markdown, chunks, 100);
	});

	it('keeps the anchor of a page with the text below it', () => {
		const pages = [1, 2, 3].map((n) => `<a id="page-${n}"></a>\n\n# Part ${n}\n\n${prose(n * 10, n * 10 + 3)}`);
		const markdown = `${pages.join('\n\n')}\n\n<a id="page-4"></a>\n\n${prose(40, 43)}\n\n<a id="page-5"></a>`;
		const whole = chunksOf(markdown, 200);
		expectSound(markdown, whole, 200);
		expect(whole.map(({ headingPath, text }) => [headingPath, text.slice(0, 18)])).toEqual([
			[['Part 1'], '<a id="page-1"></a'],
			[['Part 2'], '<a id="page-2"></a'],
			[['Part 3'], '<a id="page-3"></a'],
		]);
		const small = chunksOf(markdown, 30);
		expectSound(markdown, small, 30);
		expect(small.filter(({ text }) => /^<a[^>]*><\/a>$/.test(text))).toHaveLength(1);
		expect(small.filter(({ text }) => /<\/a>$/.test(text))).toHaveLength(1);
		expect(chunksOf('<a id="page-1"></a>', 30)).toHaveLength(1);
	});

	it('takes no line of code, of a list item or of a quotation for a heading', () => {
		const markdown = '## A\n\n```sh\n# a comment\n```\n\n- item\n\n  # in the item\n\n> # quoted\n\nText\n====\n\nEnd.';
		expect(chunksOf(markdown, 200).map(({ headingPath }) => headingPath)).toEqual([['A'], ['Text']]);
	});

	it('keeps a table that fits whole, and cuts a larger one between rows below its header', () => {
		const small = rows(8);
		const markdown = `## Ports\n\n${prose(0, 6)}\n\n${small}\n\n${prose(6, 8)}\n\n${rows(60)}\n\nEnd.`;
		const max = countTokens(small) + 10;
		const chunks = chunksOf(markdown, max);
		expectSound(markdown, chunks, max);
		expect(chunks.filter(({ text }) => text.includes(small))).toHaveLength(1);
		const cut = chunks.filter((chunk) => chunk.cut === 'table');
		expect(cut.length).toBeGreaterThan(3);
		for (const { text } of cut) {
			expect(text).toContain('| Port | Tide |\n| --- | --: |\n| Port ');
			for (const line of text.split('\n').filter((line) => line.startsWith('|'))) expect(line).toMatch(/\|$/);
		}
		const cutRows = cut.flatMap(({ text }) => text.match(/^\| Port \d+ \| \d+ m \|$/gm));
		expect(cutRows).toEqual(rows(60).match(/^\| Port \d+ \| \d+ m \|$/gm));
	});

	it('cuts an HTML table between rows, complete with its header and its end', () => {
		const row = (i: number): string => `<tr><td colspan="2">Cell ${i} of the table</td></tr>`;
		const table = [
			'<table>',
			'<tr><th>A</th><th>B</th></tr>',
			...Array.from({ length: 20 }, (_, i) => row(i)),
			'</table>',
		];
		const chunks = chunksOf(table.join('\n'), 80);
		expectSound(table.join('\n'), chunks, 80);
		expect(chunks.length).toBeGreaterThan(2);
		for (const { text, cut } of chunks) {
			expect(cut).toBe('table');
			expect(text).toMatch(/^<table>\n<tr><th>A<\/th><th>B<\/th><\/tr>\n<tr><td[\s\S]*<\/tr>\n<\/table>$/);
		}
	});

	it('keeps code that fits whole, and cuts larger code between lines inside its fence', () => {
		const lines = (count: number): string =>
			Array.from({ length: count }, (_, i) => `let value${i} = ${i};`).join('\n');
		const small = `\`\`\`js\n${lines(8)}\n\`\`\``;
		const markdown = `# Code\n\n${prose(0, 5)}\n\n${small}\n\nThen:\n\n~~~~python\n${lines(20)}\n\n\n${lines(20)}\n~~~~\n\nEnd.`;
		const max = countTokens(small) + 5;
		const chunks = chunksOf(markdown, max);
		expectSound(markdown, chunks, max);
		expect(chunks.filter(({ text }) => text.includes(small))).toHaveLength(1);
		const cut = chunks.filter((chunk) => chunk.cut === 'code');
		expect(cut.length).toBeGreaterThan(3);
		for (const { text } of cut) expect(text).toMatch(/~~~~python\nlet value\d+ = \d+;\n[\s\S]*;\n~~~~/);
	});

	it('cuts code in a list item inside its fence', () => {
		const code = Array.from({ length: 30 }, (_, i) => `   step${i}();`).join('\n');
		const markdown = `1. Run this:\n\n   \`\`\`js\n${code}\n   \`\`\`\n\n2. Done.`;
		const chunks = chunksOf(markdown, 60);
		expectSound(markdown, chunks, 60);
		for (const { text, cut } of chunks.filter((chunk) => chunk.cut)) {
			expect(cut).toBe('code');
			expect(text).toMatch(/ {3}```js\n {3}step[\s\S]*\n {3}```/);
		}
	});

	it.each([
		[
			'en',
			'Dr. Smith met J. R. Brown, e.g. yesterday. It rained (see [p. 3. of it](https://e.test/a.b)). They left. ',
			/[.)]$/,
		],
		['de', 'Am 3. Mai kam Prof. Weber, vgl. Abb. 2. Es regnete. Alle gingen. ', /\.$/],
		['ja', '潮は一日に二回満ちる。「はい。」と彼は言った。それから帰った！', /[。！」]$/],
		['zh', '潮水每天涨两次。他说：“是的。”然后就走了？', /[。？”]$/],
		['th', 'น้ำขึ้นวันละสองครั้ง ', /./],
	])('ends pieces of a long paragraph at the end of a sentence: %s', (language, unit, end) => {
		const markdown = unit.repeat(20).trim();
		const chunks = chunksOf(markdown, 70, language);
		expectSound(markdown, chunks, 70);
		expect(chunks.length).toBeGreaterThan(3);
		for (const { text } of chunks) {
			expect(text).toMatch(end);
			expect(text).not.toMatch(/(?:Dr|J|R|Prof|Abb|vgl|p)\.$|^[。！？」”]/);
		}
	});

	it('cuts a long list between its items, and nested ones before sentences', () => {
		const markdown = Array.from({ length: 12 }, (_, i) => `- Item ${i}\n  - Part one of it\n  - Part two of it`).join(
			'\n',
		);
		const chunks = chunksOf(markdown, 60);
		expectSound(markdown, chunks, 60);
		for (const { text } of chunks) expect(text).toMatch(/^- Item/);
	});

	it('keeps the id of a section when others change, and gives equal sections their own', () => {
		const section = (name: string, text: string): string => `## ${name}\n\n${text}`;
		const before = [
			section('A', prose(0, 30)),
			section('B', prose(0, 40)),
			section('C', 'None.'),
			section('C', 'None.'),
		];
		const after = [section('New', 'Text.'), section('A', prose(50, 60)), before[1]!, before[2]!, before[3]!];
		const ids = (parts: string[], name: string): string[] =>
			chunksOf(parts.join('\n\n'), 100)
				.filter(({ headingPath }) => headingPath[0] === name)
				.map(({ id }) => id);
		expect(ids(after, 'B')).toEqual(ids(before, 'B'));
		expect(ids(after, 'C')).toEqual(ids(before, 'C'));
		expect(new Set(ids(before, 'C')).size).toBe(2);
		expect(ids(after, 'A')).not.toEqual(ids(before, 'A'));
	});

	it('counts with the counter that it is given', () => {
		const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;
		const chunks = chunkMarkdown(prose(0, 20), { maxTokens: 20, countTokens: words });
		expect(chunks.map(({ tokens }) => tokens)).toEqual(Array.from({ length: 10 }, () => 18));
	});

	it('refuses a budget that is no whole number from 1', () => {
		for (const maxTokens of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
			expect(() => chunkMarkdown('Text.', { maxTokens, countTokens })).toThrow(
				/maxTokens is .+: use a whole number from 1/,
			);
	});

	it('ends at a sentence also behind one of more than a thousand characters', () => {
		const markdown = `${'and so on '.repeat(110)}it went. ${prose(0, 60)}`;
		const chunks = chunksOf(markdown, 400);
		expectSound(markdown, chunks, 400);
		expect(chunks.map(({ text }) => text.at(-1))).toEqual(['.', '.', '.']);
	});

	it('is an option of extract', () => {
		const html =
			'<html lang="en"><title>Tides</title><main><h1>Tides</h1><p>The sea rises twice a day.</p><h2>Neap</h2><p>Less so.</p></main>';
		const { markdown, chunks } = extract(html, 'https://e.test/', { chunks: { maxTokens: 50, countTokens } });
		expect(chunks!.at(-1)).toMatchObject({ headingPath: ['Tides', 'Neap'], text: '## Neap\n\nLess so.' });
		for (const { start, end, text } of chunks!) expect(markdown.slice(start, end)).toBe(text);
		expect(extract(html, 'https://e.test/')).not.toHaveProperty('chunks');
	});

	it('counts each part of a hostile document a few times only', () => {
		let counted = 0;
		const counter = (text: string): number => {
			counted += text.length;
			return Math.ceil(text.length / 4);
		};
		for (const unit of ['x', '字', '[', '`', '| a ', '> ', '- ', 'a b ', '\n- a', '\n\n> a', '# a\n', '<table>']) {
			counted = 0;
			const markdown = unit.repeat(50_000 / unit.length);
			expect(chunkMarkdown(markdown, { maxTokens: 500, countTokens: counter }).length).toBeGreaterThan(20);
			expect(counted / markdown.length, unit).toBeLessThan(20);
		}
	});

	const inline = fc.oneof(
		fc.constantFrom(
			'**bold. text**',
			'[a. link](https://e.test/a.b)',
			'`co. de`',
			'$x. y$',
			'潮は満ちる。',
			'Ünïcode!',
			'👩‍👩‍👧',
			'\\*',
			'Dr. No',
		),
		fc.string({ maxLength: 12 }),
		fc.lorem({ maxCount: 3, mode: 'sentences' }),
	);
	const line = fc.array(inline, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(' ').replace(/\s+/g, ' '));
	const block = fc.oneof(
		line,
		fc.tuple(fc.integer({ min: 1, max: 6 }), line).map(([level, text]) => `${'#'.repeat(level)} ${text}`),
		fc.array(line, { minLength: 1, maxLength: 8 }).map((items) => items.map((item) => `- ${item}`).join('\n')),
		fc
			.array(line, { minLength: 1, maxLength: 4 })
			.map((items) => items.map((item) => `1. ${item}\n   - ${item}`).join('\n\n')),
		fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => lines.map((text) => `> ${text}`).join('\n')),
		fc.array(line, { minLength: 1, maxLength: 12 }).map((lines) => `\`\`\`\`ts\n${lines.join('\n')}\n\`\`\`\``),
		fc
			.array(line, { minLength: 2, maxLength: 12 })
			.map((cells) =>
				['| A | B |', '| --- | --- |', ...cells.map((cell) => `| ${cell.replaceAll('|', '/')} | 1 |`)].join('\n'),
			),
		fc.string({
			maxLength: 60,
			unit: fc.constantFrom('#', '`', '|', '-', '>', ' ', '\n', 'a', '~', '$', '<', '\t', '\r'),
		}),
	);

	it('covers any document, at the right offsets, within any budget', () => {
		fc.assert(
			fc.property(fc.array(block, { maxLength: 12 }), fc.integer({ min: 12, max: 300 }), (blocks, maxTokens) => {
				const markdown = blocks.join('\n\n');
				expectSound(markdown, chunksOf(markdown, maxTokens), maxTokens);
			}),
			{ numRuns: 60 },
		);
	});

	it('cuts no table and no code that fits, in any document', () => {
		fc.assert(
			fc.property(
				fc.array(block, { minLength: 1, maxLength: 12 }),
				fc.integer({ min: 60, max: 300 }),
				(blocks, maxTokens) => {
					const whole = blocks.filter((text) => /^(?:````|\| A)/.test(text) && countTokens(text) <= maxTokens);
					const chunks = chunksOf(blocks.filter((text) => !/^[^A-Za-z]*$/.test(text)).join('\n\n'), maxTokens);
					for (const text of whole) expect(chunks.some((chunk) => chunk.text.includes(text))).toBe(true);
				},
			),
			{ numRuns: 60 },
		);
	});
});
