import { BoundedMap } from '../base/bounded-map.ts';
import { isLimited } from '../response/retry-after.ts';

/** URLs of one family that may get 429 or 503 before the crawler stops requesting the rest. */
const maxLimited = 3;
/** Families remembered per host. */
const maxFamilies = 20;

/** Finds the parts of a host, by first path segment, that are limited (429, 503) while the others respond. */
export class LimitedFamilies {
	readonly #limited = new BoundedMap<{ readonly urls: Set<string>; others: boolean }>(maxFamilies);
	/** Families with limited URLs since the last success of another family. */
	readonly #unproven = new Set<string>();

	/** @param status of the response for the URL; returns whether it was limited */
	note(url: string, status: number | undefined): boolean {
		const family = familyOf(url);
		if (isLimited(status)) {
			const known = this.#limited.get(family) ?? { urls: new Set(), others: false };
			if (known.urls.size < maxLimited) known.urls.add(url);
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
	 * URL prefixes to visit last. While the host refuses, these are all limited parts, since a URL of another part shows
	 * whether the whole host is limited; later, only those that keep refusing.
	 */
	last(refuses: boolean): string[] {
		const known = [...this.#limited.entries()];
		return known.filter(([, { urls }]) => refuses || urls.size >= maxLimited).map(([family]) => family);
	}

	/** Whether a URL belongs to a part that is limited although the host is not. */
	has(url: string): boolean {
		const known = this.#limited.get(familyOf(url));
		return known?.others === true && known.urls.size >= maxLimited && !known.urls.has(url);
	}
}

/** The first segment of the path: `/search?q=a` and `/search/b` are one family. */
export const familyOf = (url: string): string => {
	const { origin, pathname } = new URL(url);
	return origin + (/^\/[^/]*/.exec(pathname)?.[0] ?? '/');
};
