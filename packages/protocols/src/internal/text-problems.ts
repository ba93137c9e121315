import type { Problem } from '../problem.ts';
import { maxProblems } from './max-problems.ts';
import { type MakeProblem, nowhere, type Place } from './problem-maker.ts';

/**
 * Collects the problems of one text, and turns offsets into lines and columns; the first problem costs one pass
 * over the text, the others next to nothing, in whatever order they come.
 */
export class TextProblems<Code extends string> {
	readonly #list: Problem<Code>[] = [];
	#omitted = 0;
	/** Whether any problem, listed or omitted, is an error. */
	hasError = false;
	readonly #text: string;
	readonly #make: MakeProblem<Code>;
	#lineStarts: Uint32Array | undefined;

	constructor(text: string, make: MakeProblem<Code>) {
		this.#text = text;
		this.#make = make;
	}

	/** Adds a problem with the severity of its code; `at` is an offset in the text, and -1 means the text as a whole. */
	add(code: Code, at: number, args: Problem['args'] = {}): void {
		const isListed = this.#list.length < maxProblems;
		const problem = this.#make(code, at < 0 || !isListed ? nowhere : this.#place(at), args);
		if (problem.severity === 'error') this.hasError = true;
		if (isListed) this.#list.push(problem);
		else this.#omitted++;
	}

	/** All problems; where there were too many, a last one of code `omitted` says how many are not listed. */
	close(omitted: Code): readonly Problem<Code>[] {
		if (this.#omitted === 0) return this.#list;
		return [...this.#list, this.#make(omitted, nowhere, { count: this.#omitted })];
	}

	#place(at: number): Place {
		this.#lineStarts ??= lineStartsOf(this.#text);
		const starts = this.#lineStarts;
		let low = 0;
		let high = starts.length - 1;
		while (low < high) {
			const middle = (low + high + 1) >>> 1;
			if ((starts[middle] ?? 0) <= at) low = middle;
			else high = middle - 1;
		}
		return { line: low + 1, column: at - (starts[low] ?? 0) + 1 };
	}
}

/** Lines end with LF, CR LF or CR. */
const lineEnd = /\r\n?|\n/g;

function lineStartsOf(text: string): Uint32Array {
	const starts = [0];
	for (const { index, 0: end } of text.matchAll(lineEnd)) starts.push(index + end.length);
	return Uint32Array.from(starts);
}

/** A piece of foreign text, short enough for a sentence. */
export function excerpt(text: string): string {
	return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}
