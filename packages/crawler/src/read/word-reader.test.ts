import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hashOf } from '../addresses/url-parts.ts';
import { WordReader } from './word-reader.ts';

/** A long number, or digits among letters. */
const generated = /^(?:\d{10,}|(?=\D*\d)(?=[^a-z]*[a-z])[\da-z]{8,})$/;

it('reads what the class of letters and numbers matches, with its hash and kind', () => {
	const pieces = [
		...'az09 .-_\n',
		'1234567',
		'abcdef',
		'é',
		'ß',
		'я',
		'٣',
		'½',
		'中',
		'\u0301',
		'’',
		'😀',
		'𠀀',
		'\ud83d',
		'\udc00',
	];
	const text = fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((parts) => parts.join(''));
	fc.assert(
		fc.property(
			fc.oneof(
				text,
				fc.string({ unit: 'binary' }).map((any) => any.toLowerCase()),
			),
			(sample) => {
				const found = [];
				for (const reader = new WordReader(sample); reader.next(); )
					found.push([reader.word, reader.hash, reader.isNumber, reader.isGenerated]);
				const words = sample.match(/[\p{L}\p{N}]+/gu) ?? [];
				expect(found).toEqual(words.map((word) => [word, hashOf(word), /^\d/.test(word), generated.test(word)]));
			},
		),
		{ numRuns: 2000 },
	);
});
