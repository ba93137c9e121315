/** Character and word counts of one text, taken in a single pass. */
export interface Measure {
	chars: number;
	words: number;
	digits: number;
	upper: number;
	/** Words that begin with a capital. */
	capitals: number;
	/** `. ! ? …` and their CJK forms. */
	stops: number;
	/** `, ; :` and their CJK forms. */
	commas: number;
	/** `| / > » › · • #`: separators of menus and crumbs. */
	separators: number;
	/** Longer words of letters and digits: keys, ids, product numbers. */
	codes: number;
}

const spaceCode = 32;
const newlineCode = 10;

const letterKind = 1;
const upperKind = 2;
const digitKind = 3;
const stopKind = 4;
const commaKind = 5;
const separatorKind = 6;
const blankKind = 7;
/** Of letters: two characters count as one word. */
const unspacedBit = 8;
const kindMask = 7;

/** The class of each UTF-16 unit. */
const classes = new Uint8Array(0x10000);
for (let c = 97; c <= 122; c++) classes[c] = letterKind;
for (let c = 65; c <= 90; c++) classes[c] = upperKind;
for (let c = 48; c <= 57; c++) classes[c] = digitKind;
for (const c of '.!?') classes[c.charCodeAt(0)] = stopKind;
for (const c of ',;:') classes[c.charCodeAt(0)] = commaKind;
for (const c of '|/>#') classes[c.charCodeAt(0)] = separatorKind;

function classOf(c: number): number {
	if (c === 0x2026 || c === 0x3002 || c === 0xff01 || c === 0xff1f || c === 0x61f) return stopKind;
	if (c === 0xff0c || c === 0x3001 || c === 0xff1a || c === 0xff1b || c === 0x60c) return commaKind;
	if (c === 0xbb || c === 0x203a || c === 0xb7 || c === 0x2022 || c === 0x2192) return separatorKind;
	if (c < 0xc0 || (c >= 0x2000 && c < 0x2e80) || (c >= 0x3000 && c < 0x3005) || (c >= 0xff00 && c < 0xff10)) return 0;
	if (c <= 0xde) return upperKind;
	return letterKind;
}

/** Scripts that write without spaces: two characters count as one word. */
function isUnspaced(c: number): boolean {
	return (c >= 0x3005 && c <= 0x9fff) || (c >= 0xf900 && c <= 0xfaff) || (c >= 0xe00 && c < 0xe80);
}

for (let c = 128; c < classes.length; c++) {
	const kind = classOf(c);
	classes[c] = (kind === letterKind || kind === upperKind) && isUnspaced(c) ? kind | unspacedBit : kind;
}
classes[spaceCode] = classes[newlineCode] = blankKind;

export function measure(text: string): Measure {
	let chars = 0;
	let words = 0;
	let allDigits = 0;
	let upper = 0;
	let capitals = 0;
	let stops = 0;
	let commas = 0;
	let separators = 0;
	let codes = 0;
	/** Of the word that is being read: none where both are 0. */
	let letters = 0;
	let digits = 0;
	let unspaced = 0;
	// One place more than there is ends the last word.
	const { length } = text;
	for (let i = 0; i <= length; i++) {
		const found = i < length ? classes[text.charCodeAt(i)]! : blankKind;
		const kind = found & kindMask;
		if (kind === letterKind || kind === upperKind || kind === digitKind) {
			chars++;
			if (letters + digits === 0) {
				words++;
				if (kind === upperKind) capitals++;
			} else if (found > kindMask) unspaced++;
			if (kind === digitKind) digits++;
			else letters++;
			if (kind === upperKind) upper++;
			continue;
		}
		if (digits > 1 && letters > 0 && letters + digits > 6) codes++;
		allDigits += digits;
		letters = 0;
		digits = 0;
		if (kind === blankKind) continue;
		chars++;
		if (kind === stopKind) stops++;
		else if (kind === commaKind) commas++;
		else if (kind === separatorKind) separators++;
	}
	words += unspaced >> 1;
	return { chars, words, digits: allDigits, upper, capitals, stops, commas, separators, codes };
}
