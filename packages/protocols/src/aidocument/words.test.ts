import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordsOfMarkdown } from './marked-words.ts';
import { countWords, readingTime } from './words.ts';

describe('AWI-44 word_count', () => {
	it.each([
		['', 0],
		['# How HTTP works\n\nWhen a client...', 6],
		['**bold** *it* ~~gone~~ `code` __init__', 5],
		['a **bo**ld word', 3],
		["It's 3.14, isn’t it? example.com", 5],
		['[text here](https://a.test/x_(y)?q=a+b "a title") end', 3],
		['![alt text](<https://a.test/a b.png>) end', 3],
		['see https://a.test/one/two-three?four=five#six and <https://b.test/seven>', 2],
		['- one\n- [x] two\n  1. three\n> 12) four', 4],
		['| a | b |\n|---|:-:|\n| 1 | 2 |', 4],
		['```js\nlet x = 1;\n```\ntext', 4],
		['a[^1] b\n\n[^1]: note\n[id]: https://a.test "title"', 3],
		['Tom &amp; Jerry&nbsp;run', 3],
		['a<br>b <sub>c</sub>', 3],
		['2\\*3 \\_x\\_', 3],
		['---\n***\n* * *', 0],
	])('%j has %i words', (markdown, words) => {
		expect(countWords(markdown)).toBe(words);
	});

	it('counts words where no spaces are written', () => {
		expect(countWords('한국어는 띄어쓰기를 합니다')).toBe(3);
		expect(countWords('हिन्दी भाषा')).toBe(2);
		expect(countWords('我们在北京大学学习。')).toBeGreaterThan(3);
		expect(countWords('ภาษาไทยไม่มีช่องว่าง')).toBeGreaterThan(2);
		expect(countWords('详见https://a.test/path。后文')).toBe(countWords('详见。后文'));
	});

	it('agrees with UAX #29 as the runtime has it', () => {
		const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
		const count = (text: string) => [...segmenter.segment(text)].filter((segment) => segment.isWordLike).length;
		const letters = [...'aZé\u0301ßπжאשعربहनİ09٣'];
		const signs = [...' \n.,;\'’·-/"!?()\u00ad\u200d'];
		// Runtimes differ on Hangul beside other letters; a quotation mark inside Hebrew and a run of marks that clings to nothing are left to the runtime.
		const text = fc
			.array(fc.constantFrom(...letters, ...letters, ...signs), { maxLength: 24 })
			.map((chars) => chars.join(''))

			.filter((sample) => !/"|(?:^|[^\p{L}\p{N}\p{M}\p{Cf}])[\p{M}\p{Cf}]/u.test(sample));
		fc.assert(
			fc.property(text, (sample) => void expect(countWords(`x ${sample}`), sample).toBe(count(`x ${sample}`))),
			{ numRuns: 2000 },
		);
	});

	it('counts in one pass over each line as the expressions over the whole text do', () => {
		const pieces = [
			...[
				'a',
				'bc',
				'Z',
				'1',
				'23',
				'_',
				' ',
				' ',
				' ',
				'\n',
				'\n',
				'\t',
				'\r',
				'\u00a0',
				'\u2028',
				'\0',
				'.',
				"'",
				',',
				';',
			],
			...[
				'[',
				']',
				'](',
				')',
				'(',
				'[^',
				']:',
				'[a](b)',
				'[a](<b c>)',
				'[a](b "c',
				'"',
				'[a](b\\)c)',
				'[^1]',
				'[^1](',
				'[x] ',
			],
			...['\\', '\\*', '\\_', '\\.', '\\[', '*', '**', '`', '~', '```', '~~~', '- ', '+ ', '12. ', '1) ', '> ', '#'],
			...['<', '<a', '</', '>', '<b>', '&', '&amp;', '&#1;', ';', ':', '://', 'https://a.b/c', 'http:', '//', '/', '|'],
			...[
				'é',
				'ß',
				'я',
				'я',
				'’',
				'‘',
				'“',
				'—',
				'·',
				'\u0301',
				'\u00ad',
				'中',
				'文',
				'ไทย',
				'한',
				'ह',
				'😀',
				'\ud83d',
				'\ufeff',
			],
		];
		const text = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(''));
		fc.assert(
			fc.property(text, (markdown) => void expect(countWords(markdown), markdown).toBe(wordsOfMarkdown(markdown))),
			{ numRuns: 5000 },
		);
	});

	it('never throws, and never takes more than linear time', () => {
		fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void countWords(text)));
		for (const piece of [
			'](',
			'[',
			'![a](',
			'<a',
			'`',
			'\\',
			'](a "',
			'_',
			'&a',
			'a.',
			'> ',
			'[^',
			'](a(',
			"'",
			'- ',
		]) {
			expect(countWords(piece.repeat(200_000))).toBeGreaterThanOrEqual(0);
		}
	});
});

it('AWI-45 reading_time is 250 words a minute, rounded up', () => {
	expect([0, 1, 250, 251, 1240].map(readingTime)).toEqual([0, 1, 1, 2, 5]);
	fc.assert(fc.property(fc.nat(), fc.nat(), (a, b) => a > b || readingTime(a) <= readingTime(b)));
});
