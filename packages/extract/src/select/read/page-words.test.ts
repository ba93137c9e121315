import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Block } from './box.ts';
import { endOf, PageWords, ReadBlockWords, startOf } from './page-words.ts';
import { BlockWords, cut, FlatWords, type Words } from './words.ts';

const blocksOf = (texts: readonly string[]): Block[] => texts.map((text) => ({ text }) as Block);

function listed(words: Words): string[] {
	const found: string[] = [];
	while (words.next()) found.push(`${cut(words)} ${words.hash}`);
	return found;
}

const flatWordsOf = (text: string): string[] => {
	const words = new FlatWords();
	words.begin(text);
	return listed(words);
};

const blockWordsOf = (text: string): string[] => {
	const words = new BlockWords();
	words.begin(text);
	return listed(words);
};

function readFlatWords(words: PageWords, block: number): string[] {
	const { starts, hashes, spans } = words.read();
	const text = words.textOf(block);
	return Array.from({ length: starts[block + 1]! - starts[block]! }, (_, i) => starts[block]! + i).map(
		(at) => `${text.slice(startOf(spans[at]!), endOf(spans[at]!)).toLowerCase()} ${hashes[at]}`,
	);
}

function readBlockWords(words: PageWords, blocks: readonly Block[], block: number): string[] {
	const reader = new ReadBlockWords({ words, blocks });
	reader.begin(block);
	return listed(reader);
}

const piece = fc.oneof(
	fc.constantFrom(
		'Menu',
		'a',
		'Z',
		'3D',
		'2024',
		'©',
		' ',
		'-',
		'123456789',
		'999999999',
		'Über',
		'ΟΔΟΣ',
		'İ',
		'𝒳',
		'𐐀',
	),
	fc.constantFrom('中文', '٣', 'Ⅷ', '²', '\ud835', '\u0307', 'x'.repeat(30), 'é', '\n', 'word word word '.repeat(30)),
	fc.string({ unit: 'binary', maxLength: 6 }),
);
const texts = fc.array(
	fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
	{ maxLength: 8 },
);

it('finds the words that a reader of each text finds', () => {
	fc.assert(
		fc.property(texts, texts, (own, others) => {
			const blocks = blocksOf(own);
			const words = new PageWords(blocks);
			words.read();
			// Another page is read in between.
			new PageWords(blocksOf(others)).read();
			for (const [i, text] of own.entries()) {
				expect(readFlatWords(words, i)).toEqual(flatWordsOf(text));
				expect(readBlockWords(words, blocks, i)).toEqual(blockWordsOf(text));
			}
		}),
		{ numRuns: 400 },
	);
});

it('has room for a page of any size', () => {
	const own = ['A b '.repeat(1_000), ...Array.from({ length: 3_000 }, (_, i) => `Entry ${i} of the list`)];
	const blocks = blocksOf(own);
	const words = new PageWords(blocks);
	for (const i of [0, 1, 2_999]) expect(readFlatWords(words, i)).toEqual(flatWordsOf(own[i]!));
	expect(words.read().starts[own.length]).toBe(2_000 + 5 * 3_000);
});
