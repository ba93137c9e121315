import type { Glyph } from './types.ts';

/** Accents that are glyphs of their own, and the marks that they are on a letter. */
const marks: Readonly<Record<string, string>> = {
	'`': '\u0300',
	'´': '\u0301',
	ˆ: '\u0302',
	'˜': '\u0303',
	'¯': '\u0304',
	'˘': '\u0306',
	'˙': '\u0307',
	'¨': '\u0308',
	'˚': '\u030a',
	'˝': '\u030b',
	ˇ: '\u030c',
	'¸': '\u0327',
};
const dotless: Readonly<Record<string, string>> = { ı: 'i', ȷ: 'j' };

/** Puts an accent and the letter that is painted under it together, as TeX paints them: "´e" is "é". */
export function* withAccents(glyphs: Iterable<Glyph>): Generator<Glyph> {
	let last: Glyph | undefined;
	for (const glyph of glyphs) {
		const composed = last === undefined ? undefined : (onLetter(last, glyph) ?? onLetter(glyph, last));
		if (composed !== undefined) {
			last = composed;
			continue;
		}
		if (last !== undefined) yield last;
		last = glyph;
	}
	if (last !== undefined) yield last;
}

function onLetter(accent: Glyph, letter: Glyph): Glyph | undefined {
	const mark = marks[accent.text];
	if (mark === undefined || !/^\p{L}$/u.test(letter.text)) return undefined;
	const middle = accent.x + accent.width / 2;
	const isOver = middle > letter.x && middle < letter.x + letter.width;
	if (!isOver || Math.abs(accent.y - letter.y) > letter.size * 0.5) return undefined;
	const text = ((dotless[letter.text] ?? letter.text) + mark).normalize('NFC');
	return text.length === 1 ? { ...letter, text } : undefined;
}
