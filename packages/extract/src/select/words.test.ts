import { describe, expect, it } from 'vitest';
import { NameWords } from './hints.ts';
import { Scale } from './lexicon.ts';
import { WordTable } from './word-table.ts';
import { BlockWords, distinct, flatWords } from './words.ts';

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

describe('a table of words', () => {
	it('finds them where they stand, in either case, however many there are', () => {
		const table = new WordTable(Array.from({ length: 500 }, (_, i) => `word${i}`));
		expect(table.size).toBe(500);
		expect(table.find('a WORD321 b', 2, 9)).toBe(321);
		expect(table.find('a word500', 2, 9)).toBe(-1);
		expect(table.add('word321')).toBe(321);
		expect(table.add('new')).toBe(500);
	});

	it('weighs each word of a text once', () => {
		const scale = new Scale(
			new Map([
				['menu', -2],
				['story', 1.5],
			]),
		);
		const words = new BlockWords();
		words.begin('Menu, menu and story');
		expect(scale.weigh(words)).toEqual({ sum: -0.5, min: -2, max: 1.5 });
		words.begin('Menu');
		expect(scale.weigh(words)).toEqual({ sum: -2, min: -2, max: 0 });
	});
});
