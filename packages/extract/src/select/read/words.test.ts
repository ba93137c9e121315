import { describe, expect, it } from 'vitest';
import { createElement } from '../../dom/node.ts';
import { Scale } from '../features/lexicon.ts';
import { NameReader, NameWords, ReadNames } from './hints.ts';
import { hashOf, WordTable } from './word-table.ts';
import { BlockWords, distinct, FlatWords, flatWords, type Words } from './words.ts';

const blockWords = (text: string): string[] => {
	const words = new BlockWords();
	words.begin(text);
	return [...distinct(words)];
};
const nameWords = (written: string, custom = ''): string[] => {
	const words = new NameWords();
	words.begin(written, custom);
	return [...distinct(words)];
};

describe('words', () => {
	it('of a text are runs of letters and digits in lower case', () => {
		expect(flatWords('Über 3D-Druck: 𝒳 und ΟΔΟΣ!')).toEqual(['über', '3d', 'druck', '𝒳', 'und', 'οδος']);
		expect(flatWords(' – ')).toEqual([]);
	});

	it('of a block are letters, signs and how many digits a number has', () => {
		expect(blockWords('© 2024 Über 3D, 1234567 over')).toEqual(['©', '#4', 'über', '#1', 'd', '#5', 'over']);
		expect(blockWords('a'.repeat(25))).toEqual([]);
	});

	it('of names are parted by signs and capitals', () => {
		expect(nameWords('post-body__inner HTMLParser isOn')).toEqual(['post', 'body', 'inner', 'html', 'parser']);
		expect(nameWords('x  card', 'my-card-x')).toEqual(['card', 'my', 'x']);
	});
});

it('the hash of each word is that of its characters', () => {
	const text = 'HTMLParser isOn post-body__inner Über 3D-Druck 𝒳𝒳 © 123456789 1234567 ΟΔΟΣ 中文 \ud835';
	const block = new BlockWords();
	block.begin(text);
	const flat = new FlatWords();
	flat.begin(text);
	const names = new NameWords();
	names.begin(text, 'my-card');
	for (const words of [block, flat, names] satisfies Words[]) {
		let count = 0;
		for (; words.next(); count++) expect(words.hash).toBe(hashOf(words.text, words.start, words.end));
		expect(count).toBeGreaterThan(4);
	}
});

it('names are taken apart once, with the words that are read from them', () => {
	const attributes = { class: 'post-body HTMLParser', id: 'main' };
	const read = new ReadNames();
	read.begin(new NameReader().read(createElement('my-card', attributes)));
	expect([...distinct(read)]).toEqual(['post', 'body', 'html', 'parser', 'main', 'my', 'card']);
});

describe('a table of words', () => {
	it('finds them where they stand, in either case, however many there are', () => {
		const table = new WordTable(Array.from({ length: 500 }, (_, i) => `word${i}`).join(' '));
		expect(table.size).toBe(500);
		expect(table.find('a WORD321 b', 2, 9)).toBe(321);
		expect(table.find('a word500', 2, 9)).toBe(-1);
		expect(table.add('word321')).toBe(321);
		expect(table.add('new')).toBe(500);
	});

	it('weighs each word of a text once', () => {
		const scale = new Scale({ table: new WordTable('menu story'), weights: Float64Array.of(-2, 1.5) });
		const words = new BlockWords();
		words.begin('Menu, menu and story');
		expect(scale.weigh(words)).toEqual({ sum: -0.5, min: -2, max: 1.5 });
		words.begin('Menu');
		expect(scale.weigh(words)).toEqual({ sum: -2, min: -2, max: 0 });
	});
});
