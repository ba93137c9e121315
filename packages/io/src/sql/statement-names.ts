/** Statements that are kept prepared: more than any part of the program has, fewer than could fill a server. */
const most = 500;

/** Names for statements, so that a connection prepares each text once. */
export class StatementNames {
	readonly #names = new Map<string, string>();

	/** No name for a text that came after all others: it is planned each time. */
	of(text: string): { readonly name?: string } {
		const known = this.#names.get(text);
		if (known !== undefined) return { name: known };
		if (this.#names.size >= most) return {};
		const name = `w${this.#names.size}`;
		this.#names.set(text, name);
		return { name };
	}
}
