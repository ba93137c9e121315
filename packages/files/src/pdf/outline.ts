import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { OutlineEntry } from './style.ts';

interface Bookmark {
	readonly title: string;
	readonly items: readonly Bookmark[];
}

/** A file can have any number. */
const maxEntries = 5000;
const maxLevel = 6;

/** The bookmarks of a file: they name its headings. */
export async function outlineOf(pdf: PDFDocumentProxy): Promise<OutlineEntry[]> {
	const entries: OutlineEntry[] = [];
	const add = (bookmarks: readonly Bookmark[], level: number) => {
		for (const { title, items } of bookmarks) {
			if (entries.length >= maxEntries) return;
			entries.push({ title, level });
			if (level < maxLevel) add(items, level + 1);
		}
	};
	try {
		add(((await pdf.getOutline()) ?? []) as readonly Bookmark[], 1);
	} catch {
		// Bookmarks that cannot be read say nothing.
	}
	return entries;
}
