import type { Problem, Severity } from '../problem.ts';

/** More than this many problems of one text tell nobody more; the rest is counted. */
export const maxProblems = 1000;

/** Severity and sentence of each code of a module; `{name}` in a sentence stands for an argument. */
export type ProblemTable<Code extends string> = Readonly<Record<Code, { severity: Severity; sentence: string }>>;

/**
 * Collects the problems of one text, and turns offsets into lines and columns.
 * Offsets that come in order cost one pass over the text in all.
 */
export class TextProblems<Code extends string> {
	readonly #list: Problem<Code>[] = [];
	#omitted = 0;
	/** Whether any problem, listed or omitted, is an error. */
	hasError = false;
	readonly #text: string;
	readonly #table: ProblemTable<Code>;
	#at = 0;
	#line = 1;
	#lineStart = 0;

	constructor(text: string, table: ProblemTable<Code>) {
		this.#text = text;
		this.#table = table;
	}

	/** Adds a problem with the severity of its code; `at` is an offset in the text, and -1 means the text as a whole. */
	add(code: Code, at: number, args: Problem['args'] = {}): void {
		const { severity } = this.#table[code];
		if (severity === 'error') this.hasError = true;
		if (this.#list.length >= maxProblems) {
			this.#omitted++;
			return;
		}
		if (at < 0) this.#list.push({ code, severity, line: 0, column: 0, args });
		else {
			this.#moveTo(at);
			this.#list.push({ code, severity, line: this.#line, column: at - this.#lineStart + 1, args });
		}
	}

	/** All problems; where there were too many, a last one of code `omitted` says how many are not listed. */
	close(omitted: Code): readonly Problem<Code>[] {
		if (this.#omitted === 0) return this.#list;
		const { severity } = this.#table[omitted];
		return [...this.#list, { code: omitted, severity, line: 0, column: 0, args: { count: this.#omitted } }];
	}

	/** Lines end with LF, CR LF or CR. */
	#moveTo(at: number): void {
		if (at < this.#at) {
			this.#at = 0;
			this.#line = 1;
			this.#lineStart = 0;
		}
		const text = this.#text;
		for (let index = this.#at; index < at; index++) {
			const code = text.charCodeAt(index);
			if (code !== 0x0a && (code !== 0x0d || text.charCodeAt(index + 1) === 0x0a)) continue;
			this.#line++;
			this.#lineStart = index + 1;
		}
		this.#at = at;
	}
}

/** A piece of somebody's text, short enough to stand in a sentence. */
export function excerpt(text: string): string {
	return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}
