import { BoundedMap } from '../base/bounded-map.ts';
import type { MinHashSignature } from '../model/minhash-signature.ts';
import { isAlike } from '../read/minhash.ts';
import type { Pages } from '../store/roles/pages.ts';

interface Known {
	readonly url: string;
	readonly minHash: MinHashSignature;
	readonly prose?: number;
}

/** Shapes whose first page is remembered; later ones are recognised by what the host's visits have shown. */
const rememberedTexts = 5000;
/** Pages seen a moment ago, which may not be in the store yet. */
const rememberedPages = 256;

/**
 * Tells pages whose text is that of another page. They are reported, never dropped: only their readers know whether
 * the difference matters. Of pages that are alike the first one stands for all, so that there is one to compare with.
 */
export class Duplicates {
	readonly #pages: Pick<Pages, 'lookalikes'>;
	readonly #recent: Known[] = [];
	readonly #texts = new BoundedMap<string>(rememberedTexts);

	constructor(pages: Pick<Pages, 'lookalikes'>) {
		this.#pages = pages;
	}

	/**
	 * The page that another one nearly duplicates.
	 *
	 * @param prose the hash of its prose
	 */
	async find(
		url: string,
		minHash: MinHashSignature,
		prose?: number,
	): Promise<{ url: string; prose?: number } | undefined> {
		const isTwin = (known: Known) => known.url !== url && isAlike(known.minHash, minHash);
		let twin = this.#recent.find(isTwin) ?? (await this.#pages.lookalikes(minHash)).find(isTwin);
		// It may have come while the store was asked.
		twin ??= this.#recent.find(isTwin);
		if (twin !== undefined) return { url: twin.url, ...(twin.prose !== undefined && { prose: twin.prose }) };
		this.#recent.push({ url, minHash, ...(prose !== undefined && { prose }) });
		if (this.#recent.length > rememberedPages) this.#recent.shift();
		return undefined;
	}

	/**
	 * The first page of a host that looks the same.
	 *
	 * @param shape hash of its prose and its links
	 */
	copyOf(url: string, shape: number): string | undefined {
		const key = `${new URL(url).host} ${shape}`;
		const known = this.#texts.get(key);
		if (known === undefined) this.#texts.set(key, url);
		return known === url ? undefined : known;
	}

	/** The page is an alias of another one. */
	forget(url: string): void {
		const at = this.#recent.findIndex((known) => known.url === url);
		if (at >= 0) this.#recent.splice(at, 1);
	}
}
