/** Meaning of class names and ids, as bits. Pages repeat their names, so each is judged once. */
export class Marks {
	readonly #judge: (names: string) => number;
	readonly #known = new Map<string, number>();

	constructor(judge: (names: string) => number) {
		this.#judge = judge;
	}

	of(names: string | undefined): number {
		if (names === undefined) return 0;
		let marks = this.#known.get(names);
		if (marks === undefined) {
			marks = this.#judge(names);
			this.#known.set(names, marks);
		}
		return marks;
	}
}
