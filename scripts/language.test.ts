import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exceptions, isCoined, limits, measure, partsOf, scan, startsWithClause } from './language.ts';

describe('the measure of language', () => {
	it('reads comments, and not strings, templates or regular expressions that look like them', () => {
		const source = [
			'/** One. */',
			"const a = '// no'; // two",
			'',
			'// three,',
			'// in two lines',
			`const b = \`/* no */ \${/* four */ a + \`\${a}// no\`} // no\`;`,
			'const c = /\\/\\* no *\\/[/]/.test(b) ? 4 / 2 : 6 / 3; // five',
			'/*',
			' * six',
			' */',
		];
		expect(scan(source.join('\n')).comments.map(({ line, text }) => [line, text])).toEqual([
			[1, 'One.'],
			[2, 'two'],
			[4, 'three,\nin two lines'],
			[6, 'four'],
			[7, 'five'],
			[8, 'six'],
		]);
	});

	it('reads titles of tests', () => {
		const source = `it.each([['x']])('says %s', () => {}); describe(\`a \${b}\`, () => it('Whoever', () => call('what')));`;
		expect(scan(source).titles.map(({ text }) => text)).toEqual(['says %s', 'a ', 'Whoever']);
	});

	it.each([
		['What a page says.', true],
		['Whoever asks twice waits.', true],
		['Of what is kept: the time.', true],
		['That which is left.', true],
		['Which pages are read first.', true],
		['Where the document is kept.', true],
		['Where nothing is kept, the page is fetched.', false],
		['Whether the page is kept.', false],
		['When the page was fetched.', false],
		['What does a page cost? Its size.', false],
		['The crawler retries.', false],
		['Whatwg URL.', false],
	])('%s: a clause as subject is %s', (text, expected) => {
		expect(startsWithClause(text)).toBe(expected);
	});

	it.each([
		['Journey', true],
		['nextJourney', true],
		['mostBytes', true],
		['mostly', false],
		['AbortSignal', false],
		['lessonsOf', false],
		['interface', false],
		['surface', false],
	])('%s is coined: %s', (name, expected) => {
		expect(isCoined(name)).toBe(expected);
	});

	it('takes names apart at capitals', () => {
		expect(partsOf('readHTTPAnswer2')).toEqual(['read', 'http', 'answer2']);
		expect(partsOf('MAX_SIZE')).toEqual(['max', 'size']);
	});
});

it('the sources speak as plainly as they did', () => {
	const { comments, offenders } = measure();
	const count = (kind: string): number => offenders.filter((each) => each.kind === kind).length;
	// npm run language -- --list clauses (or coined, ids) shows them with file and line.
	expect(count('clauses') / comments, 'comments that start with a clause').toBeLessThan(limits.clauses);
	expect(count('coined'), 'coined names').toBeLessThanOrEqual(limits.coined);
	expect(count('ids'), 'ids of private lists').toBeLessThanOrEqual(limits.ids);
	expect(count('phrases'), 'phrases to avoid').toBeLessThanOrEqual(limits.phrases);
});

it('every exception is needed', () => {
	for (const { names, files } of exceptions) {
		const inFiles = files.map((file) => scan(readFileSync(file, 'utf8')).identifiers.map(({ name }) => name));
		for (const [at, file] of files.entries())
			expect(
				names.filter((name) => inFiles[at]?.includes(name)),
				file,
			).not.toEqual([]);
		for (const name of names) expect(inFiles.flat(), name).toContain(name);
	}
});
