import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyDiff, diffDocuments, isEmptyDiff } from './block-diff.ts';
import { joinBlocks, splitBlocks } from './blocks.ts';

const intro = '# Tides\n\nThe sea rises twice a day.';
const spring = '## Spring tides\n\nAt new moon.\n\n- high\n- low';
const neap = '## Neap tides\n\nAt half moon.\n\nThey are small.';
const code = '```sh\ntide --at kiel\n\n# two lines\n```';

describe('the difference of two documents', () => {
	it('is a move where a section is in another place', () => {
		const diff = diffDocuments([intro, spring, neap, code].join('\n\n'), [intro, neap, spring, code].join('\n\n'));
		expect(diff.steps).toEqual([
			{ op: 'keep', from: 0, count: 2 },
			{ op: 'move', from: 5, count: 3, heading: 'Neap tides' },
			{ op: 'keep', from: 2, count: 3 },
			{ op: 'keep', from: 8, count: 1 },
		]);
	});

	it('names only the block in which something has changed', () => {
		const diff = diffDocuments(`${intro}\n\n${code}`, `${intro}\n\n${code.replace('kiel', 'brest')}`);
		expect(diff.steps).toEqual([
			{ op: 'keep', from: 0, count: 2 },
			{ op: 'replace', from: 2, old: [code], blocks: [code.replace('kiel', 'brest')] },
		]);
	});

	it('keeps repeated blocks in place where one is put in front', () => {
		const diff = diffDocuments('note\n\na\n\nnote\n\nb', 'note\n\nnote\n\na\n\nnote\n\nb');
		expect(diff.steps.filter(({ op }) => op !== 'keep')).toEqual([{ op: 'insert', blocks: ['note'] }]);
	});

	it('of equal documents is empty', () => {
		expect(isEmptyDiff(diffDocuments(intro, intro))).toBe(true);
		expect(isEmptyDiff(diffDocuments(intro, `${intro}\n`))).toBe(false);
	});

	it('is not applied to another document', () => {
		const diff = diffDocuments(intro, `${intro}\n\nMore.`);
		expect(() => applyDiff(diff, spring)).toThrow('made from another document: it has 3 blocks, not 2');
		const replaced = diffDocuments(intro, '# Tides\n\nNever.');
		expect(() => applyDiff(replaced, '# Tides\n\nAlways.')).toThrow('its block 1 is another one');
	});
});

/** Documents of few different blocks, so that many of them are in both. */
const block = fc.oneof(
	fc.constantFrom(
		'# A',
		'## B',
		'c',
		'd',
		'---',
		'',
		' ',
		'\n',
		'```\nx\n\ny\n```',
		'```',
		'~~~',
		'> ```\n> q',
		'- i\n- j',
		'| t |\n| - |',
	),
	fc.string({ maxLength: 6 }),
	fc.string({ unit: fc.constantFrom('\n', '`', 'a', ' ', '~'), maxLength: 12 }),
);
const documents = fc
	.tuple(fc.array(block, { maxLength: 12 }), fc.constantFrom('', '\n', '\n\n', '\r\n'))
	.map(([blocks, end]) => blocks.join('\n\n') + end);

describe('a difference applied to the old document', () => {
	it('gives the new one, exactly', () => {
		fc.assert(
			fc.property(documents, documents, (before, after) => {
				expect(joinBlocks(splitBlocks(before))).toBe(before);
				const diff = JSON.parse(JSON.stringify(diffDocuments(before, after)));
				expect(applyDiff(diff, before)).toBe(after);
			}),
			{ numRuns: 2000 },
		);
	});

	it('gives the new one, exactly: pages of real Markdown, and these with their sections in another order', () => {
		const pages = readMarkdown();
		expect(pages.length).toBeGreaterThan(30);
		for (const [at, page] of pages.entries()) {
			const shuffled = page
				.split(/^(?=#)/m)
				.reverse()
				.join('');
			for (const next of [pages[at + 1] ?? '', shuffled]) expect(applyDiff(diffDocuments(page, next), page)).toBe(next);
			const moved = diffDocuments(page, shuffled).steps.filter(({ op }) => op === 'move');
			if (splitBlocks(page).blocks.filter((text) => text.startsWith('## ')).length > 2) expect(moved).not.toEqual([]);
		}
	});
});

function readMarkdown(): string[] {
	const docs = join(import.meta.dirname, '../../../../docs');
	const files = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
	return files.filter((name) => !name.startsWith('problems')).map((name) => readFileSync(join(docs, name), 'utf8'));
}
