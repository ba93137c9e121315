import type { NewUrl } from './types.ts';

/** Addresses of a generation; there are two of them. */
const generation = 2000;

/**
 * What this worker has offered to the frontier lately. Most links of a page are those of every page of its site: the
 * frontier, which knows them, need not be asked again.
 */
export class Offered {
	/** By kind and address, the least depth at which a visit was asked for; infinite where none was. */
	#young = new Map<string, number>();
	#old = new Map<string, number>();

	/** Whether the frontier would change nothing for it. */
	has({ url, kind, depth, seed, ending }: NewUrl): boolean {
		if (seed) return false;
		const key = keyOf(kind, url);
		const least = this.#young.get(key) ?? this.#old.get(key);
		return least !== undefined && (ending !== undefined || depth >= least);
	}

	/** After the commit, without which the frontier does not know them. */
	add(urls: readonly NewUrl[]): void {
		for (const { url, kind, depth, ending } of urls) {
			const key = keyOf(kind, url);
			const known = this.#young.get(key) ?? this.#old.get(key) ?? Number.POSITIVE_INFINITY;
			this.#young.set(key, ending === undefined ? Math.min(depth, known) : known);
			if (this.#young.size < generation) continue;
			this.#old = this.#young;
			this.#young = new Map();
		}
	}

	/** A run that begins may ask for what an earlier one has ended. */
	clear(): void {
		this.#young.clear();
		this.#old.clear();
	}
}

const keyOf = (kind: NewUrl['kind'], url: string): string => (kind === 'page' ? url : `${kind} ${url}`);
