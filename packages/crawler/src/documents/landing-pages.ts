import type { Page } from '@wayleave/extract';
import { LRUCache } from 'lru-cache';
import { normaliseUrl } from '../discover/normalise.ts';
import { addAlternates } from '../read/add-alternates.ts';

/** Files whose pages are remembered. */
const maxFiles = 50_000;

/** The pages that name files as their other form, of those that were read before, where no store has them. */
export class LandingPages {
	readonly #pagesOf = new LRUCache<string, readonly string[]>({ max: maxFiles });

	/** Remembers the files of a page; for a file, returns its page with those that named it. */
	add(url: string, page: Page): Page {
		const nameOf = (address: string): string => normaliseUrl(address) ?? address;
		if (page.file !== undefined) {
			const landing = this.#pagesOf.get(nameOf(url)) ?? [];
			return addAlternates(
				page,
				url,
				landing.map((each) => ({ url: each, type: 'text/html' })),
			);
		}
		for (const { url: file } of page.alternates ?? []) {
			const name = nameOf(file);
			this.#pagesOf.set(name, [...new Set([...(this.#pagesOf.get(name) ?? []), url])]);
		}
		return page;
	}
}
