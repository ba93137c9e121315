/**
 * The headers of a response, in the order received. Names are lower-case; values are Latin-1 text, one character
 * per byte received, so that nothing is lost of a value that is not ASCII.
 */
export class ReceivedHeaders implements Iterable<readonly [name: string, value: string]> {
	readonly #lines: readonly (readonly [string, string])[];

	constructor(lines: Iterable<readonly [name: string, value: string]>) {
		this.#lines = Array.from(lines, ([name, value]) => [name.toLowerCase(), value] as const);
	}

	/** All values of a name joined with a comma and a space (RFC 9110 §5.3), or undefined where there is none. */
	get(name: string): string | undefined {
		const values = this.getAll(name);
		return values.length === 0 ? undefined : values.join(', ');
	}

	/** The values of a name, one per header line. */
	getAll(name: string): string[] {
		const wanted = name.toLowerCase();
		return this.#lines.filter(([each]) => each === wanted).map(([, value]) => value);
	}

	has(name: string): boolean {
		return this.getAll(name).length > 0;
	}

	[Symbol.iterator](): Iterator<readonly [name: string, value: string]> {
		return this.#lines[Symbol.iterator]();
	}

	/** The lines as pairs, which `new ReceivedHeaders` takes. */
	toJSON(): readonly (readonly [string, string])[] {
		return this.#lines;
	}
}
