import { emptyList, type Text } from '../../dom/node.ts';
import type { Block, Box } from './box.ts';
import { measure } from './measure.ts';

/** What the elements around a text are, as bits beside those of effects. */
export const linkedState = 1 << 20;
export const strongState = 1 << 21;
/** White space counts. */
export const preState = 1 << 22;

/** Nothing is added to it. */
const noTexts = emptyList<Text>();

/** Puts blocks together, text by text. */
export class BlockBuilder {
	readonly blocks: Block[] = [];
	#texts = noTexts;
	#raw = '';
	/** Another space would add nothing: there is one at the end, or no text yet. */
	#isSpaced = true;
	#linked = 0;
	#strong = 0;
	#links = 0;
	/** Characters so far, and before the first link. */
	#seen = 0;
	#lead = -1;
	/** Line breaks in a row. */
	#breaks = 0;

	addText(text: Text, state: number): void {
		const { data } = text;
		const counted = printable(data);
		const size = counted >> 1;
		if (size === 0) {
			this.addSpace();
			return;
		}
		// A list that grows makes room for many; most blocks have one text.
		if (this.#texts.length === 0) this.#texts = [text];
		else this.#texts.push(text);
		if ((state & preState) === 0) this.#addSpaced(data, (counted & 1) !== 0);
		else {
			this.#raw += data;
			this.#isSpaced = false;
		}
		this.#breaks = 0;
		if ((state & linkedState) !== 0) {
			this.#linked += size;
			if (this.#lead < 0) this.#lead = this.#seen;
		}
		this.#seen += size;
		if ((state & strongState) !== 0) this.#strong += size;
	}

	/** White space between two texts. */
	addSpace(): void {
		if (!this.#isSpaced) this.#raw += ' ';
		this.#isSpaced = true;
	}

	/**
	 * Adds a text with the white space around it as one space each, and without line breaks: `end` does the rest.
	 *
	 * @param isLoose it has white space other than single spaces
	 */
	#addSpaced(data: string, isLoose: boolean): void {
		const { length } = data;
		let start = 0;
		let end = length;
		while (start < end && isPlainSpace(data.charCodeAt(start))) start++;
		while (end > start && isPlainSpace(data.charCodeAt(end - 1))) end--;
		const line = isLoose ? data.indexOf('\n', start) : -1;
		if (start > 0 && !this.#isSpaced) {
			if (data.charCodeAt(start - 1) === spaceCode) start--;
			else this.#raw += ' ';
		}
		this.#isSpaced = end < length;
		const isSpace = data.charCodeAt(end) === spaceCode;
		const part = data.slice(start, isSpace ? end + 1 : end);
		this.#raw += line >= 0 && line < end ? part.replace(looseRun, ' ') : part;
		if (this.#isSpaced && !isSpace) this.#raw += ' ';
	}

	addLink(): void {
		this.#links++;
	}

	/** A line break; the second in a row ends the block. */
	addBreak(box: Box): void {
		if (++this.#breaks === 2) this.end(box);
		else if (this.#raw !== '') {
			this.#raw += '\n';
			this.#isSpaced = false;
		}
	}

	/** Ends a block of this box, if there is one. */
	end(box: Box): void {
		this.#breaks = 0;
		if (this.#raw === '') return;
		const text = flat(collapse(this.#raw));
		if (text !== '') {
			this.blocks.push({
				box,
				texts: this.#texts,
				text,
				size: measure(text),
				linked: this.#linked,
				links: this.#links,
				lead: this.#lead,
				strong: this.#strong,
			});
		}
		this.#texts = noTexts;
		this.#raw = '';
		this.#isSpaced = true;
		this.#linked = 0;
		this.#strong = 0;
		this.#links = 0;
		this.#seen = 0;
		this.#lead = -1;
	}
}

/** Twice the characters that are not white space, and one more if it is other than single spaces. */
function printable(data: string): number {
	let count = 0;
	let loose = 0;
	let before = 0;
	for (let i = 0, { length } = data; i < length; i++) {
		const c = data.charCodeAt(i);
		if (c > 32) {
			if (c !== 0xa0 && c !== 0x200b && c !== 0xfeff) count++;
		} else if (c === 32 ? before === 32 : c === 9 || c === 10 || c === 12 || c === 13) loose = 1;
		before = c;
	}
	return 2 * count + loose;
}

/**
 * The text as one run of characters of its own: what was put together, or cut out, is slower to read each time. Only two
 * pieces are joined into a new text.
 */
const flat = (text: string): string => (text.length < 2 ? text : [text.charAt(0), text.slice(1)].join(''));

/** A run of white space that is not a single space. */
const looseRun = /(?: (?=\s)|[^\S ])\s*/g;
/** The same within a line. */
const looseRunInLine = /(?: (?=[^\S\n])|[^\S\n ])[^\S\n]*/g;

/** White space that is more than a space between words. */
const loosePattern = /[^\S ]| {2}/;

const collapse = (raw: string): string => (loosePattern.test(raw) ? collapseLoose(raw) : raw.trim());

function collapseLoose(raw: string): string {
	const spaced = raw.replace(looseRunInLine, ' ');
	return (spaced.includes('\n') ? spaced.replace(/ ?\n\s*/g, '\n') : spaced).trim();
}

const spaceCode = 32;
const isPlainSpace = (code: number): boolean => code === spaceCode || (code >= 9 && code <= 13);
