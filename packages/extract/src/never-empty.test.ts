import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { needsShared, sharedPath } from '../../../scripts/shared.ts';
import { loadPages } from '../scripts/pages.ts';
import { parseHtml } from './dom/parse.ts';
import { extract } from './extract.ts';
import { isInFurniture } from './select/read/around.ts';
import { segment } from './select/read/blocks.ts';

const leastWords = 50;

/** Words of the page that a reader sees outside menus, page headers and footers. */
function wordsOutsideMenus(html: string): number {
	const document = parseHtml(html);
	return segment(document.body, document.styles).blocks.reduce(
		(sum, { box, size }) => sum + (box.hidden || isInFurniture(box) ? 0 : size.words),
		0,
	);
}

interface SavedPage {
	readonly id: string;
	readonly url: string;
	html(): string;
}

function structurePages(): SavedPage[] {
	const truth = JSON.parse(readFileSync(sharedPath('data/pages/structure/truth.json')!, 'utf8')) as Record<
		string,
		{ url: string }
	>;
	return Object.entries(truth).map(([id, { url }]) => ({
		id,
		url,
		html: () => gunzipSync(readFileSync(sharedPath(`data/pages/structure/html/${id}.html.gz`)!)).toString('utf8'),
	}));
}

describe.skipIf(sharedPath('data/pages/structure/truth.json') === undefined)(
	`documents that are never empty ${needsShared}`,
	() => {
		it.each([
			['article', () => loadPages('article')],
			['mixed', () => loadPages('mixed')],
			['structure', structurePages],
		] as const)('%s set: every page with 50 words outside menus has text', { timeout: 600_000 }, (_, pages) => {
			const empty: string[] = [];
			for (const { id, url, html } of pages()) {
				const source = html();
				const { text, markdown } = extract(source, url);
				if ((text.trim() === '' || markdown.trim() === '') && wordsOutsideMenus(source) >= leastWords) empty.push(id);
			}
			expect(empty).toEqual([]);
		});
	},
);
