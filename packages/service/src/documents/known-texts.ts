/** Texts at hand, and the characters of one. */
const limits = { texts: 1000, characters: 4096 } as const;

/**
 * The meaning of texts that come again, such as requests and addresses: it follows from the text alone, so the text is
 * parsed and validated once. Nothing that can change belongs here: rights, limits and documents are looked up every time.
 */
export class KnownTexts<Meaning> {
	readonly #known = new Map<string, Meaning>();

	get(text: string): Meaning | undefined {
		return this.#known.get(text);
	}

	/** Only for texts that were found valid. */
	add(text: string, meaning: Meaning): Meaning {
		if (text.length > limits.characters) return meaning;
		this.#known.set(text, meaning);
		if (this.#known.size > limits.texts) this.#known.delete(this.#known.keys().next().value ?? text);
		return meaning;
	}
}
