/** URLs that are being visited, redirect targets among them: nobody else takes them meanwhile. */
export class Claims {
	readonly #claimed = new Set<string>();
	readonly #onRelease: (url: string) => void;

	constructor(onRelease: (url: string) => void) {
		this.#onRelease = onRelease;
	}

	has(url: string): boolean {
		return this.#claimed.has(url);
	}

	take(url: string): void {
		this.#claimed.add(url);
	}

	release(url: string): void {
		this.#claimed.delete(url);
		this.#onRelease(url);
	}
}
