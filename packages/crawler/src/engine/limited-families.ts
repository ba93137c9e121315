import { BoundedMap } from '../bounded-map.ts';
import { isLimited } from '../manners/retry-after.ts';

/** URLs of one family that were answered by 429 or 503, after which the others of it are not asked. */
const mostLimited = 3;
/** Families of one host that are remembered. */
const mostFamilies = 20;

/** Finds the parts of a host, by first path segment, that are limited (429, 503) while the rest of it responds. */
export class LimitedFamilies {
	readonly #limited = new BoundedMap<{ readonly urls: Set<string>; others: boolean }>(mostFamilies);
	/** Families with limited URLs since the last success of another one. */
	readonly #unproven = new Set<string>();

	/** @param status of the response for the URL; returns whether it was limited */
	note(url: string, status: number | undefined): boolean {
		const family = familyOf(url);
		if (isLimited(status)) {
			const known = this.#limited.get(family) ?? { urls: new Set(), others: false };
			if (known.urls.size < mostLimited) known.urls.add(url);
			this.#limited.set(family, known);
			if (!known.others) this.#unproven.add(family);
			return true;
		}
		if (status === undefined || status >= 500) return false;
		this.#limited.delete(family);
		this.#unproven.delete(family);
		for (const other of this.#unproven) {
			const known = this.#limited.get(other);
			if (known !== undefined) known.others = true;
		}
		this.#unproven.clear();
		return false;
	}

	/**
	 * Beginnings of addresses that are to come last: while the host refuses, those of all such parts, since another one
	 * shows whether the host is meant; later of those that keep on.
	 */
	last(refuses: boolean): string[] {
		const known = [...this.#limited.entries()];
		return known.filter(([, { urls }]) => refuses || urls.size >= mostLimited).map(([family]) => family);
	}

	/** Whether a URL is of a part that is limited, although the host is not. */
	has(url: string): boolean {
		const known = this.#limited.get(familyOf(url));
		return known?.others === true && known.urls.size >= mostLimited && !known.urls.has(url);
	}
}

/** The first segment of the path: `/search?q=a` and `/search/b` are one family. */
export const familyOf = (url: string): string => {
	const { origin, pathname } = new URL(url);
	return origin + (/^\/[^/]*/.exec(pathname)?.[0] ?? '/');
};
