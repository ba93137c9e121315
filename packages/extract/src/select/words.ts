const UNKNOWN = 0;
const LETTER = 1;
const DIGIT = 2;
const OTHER = 3;
const SIGN = 4;

/** What each UTF-16 unit is, filled in as texts are read: a property of Unicode costs as much as a hundred of these. */
const kinds = new Uint8Array(0x10000);

const IS_LETTER = /^\p{L}$/u;
const IS_DIGIT = /^\p{N}$/u;

function look(char: string): number {
	return IS_LETTER.test(char) ? LETTER : IS_DIGIT.test(char) ? DIGIT : OTHER;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** The kind of the character at a place; one outside the basic plane is told by both of its units. */
function kindAt(text: string, at: number): number {
	const unit = text.charCodeAt(at);
	const known = kinds[unit]!;
	if (known !== UNKNOWN) return known;
	if (isHighSurrogate(unit)) return look(String.fromCodePoint(text.codePointAt(at)!));
	const kind = look(text[at]!);
	kinds[unit] = kind;
	return kind;
}

/** The runs of letters and digits of a text, in lower case. */
export function flatWords(text: string): string[] {
	const lower = text.toLowerCase();
	const words: string[] = [];
	let start = -1;
	for (let at = 0; at < lower.length; at++) {
		const isWord = kindAt(lower, at) !== OTHER;
		if (isWord && start < 0) start = at;
		else if (!isWord && start >= 0) {
			words.push(lower.slice(start, at));
			start = -1;
		}
		if (isHighSurrogate(lower.charCodeAt(at))) at++;
	}
	if (start >= 0) words.push(lower.slice(start));
	return words;
}

/** Runs of letters, runs of ASCII digits, and the copyright sign. */
export function lettersAndNumbers(text: string): string[] {
	const found: string[] = [];
	let start = 0;
	let inside = OTHER;
	for (let at = 0; at < text.length; at++) {
		const unit = text.charCodeAt(at);
		let kind = unit === 0xa9 ? SIGN : kindAt(text, at);
		if (kind === DIGIT && (unit < 48 || unit > 57)) kind = OTHER;
		if (kind !== inside) {
			if (inside !== OTHER) found.push(text.slice(start, at));
			start = at;
			inside = kind;
		} else if (kind === SIGN) {
			found.push(text.slice(start, at));
			start = at;
		}
		if (isHighSurrogate(unit)) at++;
	}
	if (inside !== OTHER) found.push(text.slice(start));
	return found;
}
