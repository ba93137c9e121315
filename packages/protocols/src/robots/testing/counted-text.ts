import type { Text } from '../pattern.ts';

/**
 * A path that counts how many octets of it are looked at. A native search is charged with what a plain one needs
 * at most: every octet of the needle at every place it passes.
 */
export class CountedText implements Text {
	reads = 0;
	/** Whole comparisons begun, that is, rules tried. */
	trials = 0;
	readonly #text: string;

	constructor(text: string) {
		this.#text = text;
	}

	get length(): number {
		return this.#text.length;
	}

	charCodeAt(index: number): number {
		this.reads++;
		return this.#text.charCodeAt(index);
	}

	slice(start: number, end: number): string {
		this.reads += end - start;
		return this.#text.slice(start, end);
	}

	startsWith(search: string): boolean {
		this.trials++;
		this.reads += search.length;
		return this.#text.startsWith(search);
	}

	endsWith(search: string): boolean {
		this.reads += search.length;
		return this.#text.endsWith(search);
	}

	indexOf(search: string, from: number): number {
		const found = this.#text.indexOf(search, from);
		const passed = (found < 0 ? this.#text.length : found + 1) - from;
		this.reads += search.length * Math.max(passed, 1);
		return found;
	}
}
