import type { Text } from '../../dom/node.ts';
import type { Block, Box } from './box.ts';
import { measure } from './measure.ts';

/** The elements around a text. */
export interface Inside {
	readonly link: boolean;
	readonly strong: boolean;
	/** White space counts. */
	readonly pre: boolean;
}

/** Nothing is added to it. */
const noTexts: Text[] = [];

/** Puts blocks together, text by text. */
export class BlockBuilder {
	readonly blocks: Block[] = [];
	#texts = noTexts;
	#raw = '';
	#linked = 0;
	#strong = 0;
	#links = 0;
	/** Characters so far, and before the first link. */
	#seen = 0;
	#lead = -1;
	/** Line breaks in a row. */
	#breaks = 0;

	addText(text: Text, { link, strong, pre }: Inside): void {
		const { data } = text;
		const counted = printable(data);
		const size = counted >> 1;
		if (size === 0) {
			if (this.#raw !== '') this.#raw += ' ';
			return;
		}
		// A list that grows makes room for many; most blocks have one text.
		if (this.#texts.length === 0) this.#texts = [text];
		else this.#texts.push(text);
		this.#raw += pre || (counted & 1) === 0 ? data : data.replace(/\s+/g, ' ');
		this.#breaks = 0;
		if (link) {
			this.#linked += size;
			if (this.#lead < 0) this.#lead = this.#seen;
		}
		this.#seen += size;
		if (strong) this.#strong += size;
	}

	/** White space between two texts. */
	addSpace(): void {
		if (this.#raw !== '') this.#raw += ' ';
	}

	addLink(): void {
		this.#links++;
	}

	/** A line break; the second in a row ends the block. */
	addBreak(box: Box): void {
		if (++this.#breaks === 2) this.end(box);
		else if (this.#raw !== '') this.#raw += '\n';
	}

	/** Ends a block of this box, if there is one. */
	end(box: Box): void {
		this.#breaks = 0;
		if (this.#raw === '') return;
		const text = collapse(flat(this.#raw));
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
	for (let i = 0; i < data.length; i++) {
		const c = data.charCodeAt(i);
		if (c > 32) {
			if (c !== 0xa0 && c !== 0x200b && c !== 0xfeff) count++;
		} else if (c === 32 ? before === 32 : c === 9 || c === 10 || c === 12 || c === 13) loose = 1;
		before = c;
	}
	return 2 * count + loose;
}

/** The text as one run of characters: what was put together piece by piece is slower to read each time. */
const flat = (raw: string): string => [raw, ''].join('');

/** White space that is more than a space between words. */
const loosePattern = /[^\S ]| {2}/;

const collapse = (raw: string): string => (loosePattern.test(raw) ? collapseLoose(raw) : raw.trim());

const collapseLoose = (raw: string): string =>
	raw
		.replace(/[^\S\n]+/g, ' ')
		.replace(/ ?\n ?/g, '\n')
		.replace(/\n+/g, '\n')
		.trim();
