import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { sharedPath } from '../../../../scripts/shared.ts';
import { parseHtml } from '../dom/parse.ts';
import { extract } from '../extract.ts';
import { isInFurniture } from '../select/read/around.ts';
import { segment } from '../select/read/blocks.ts';

export interface SavedPage {
	readonly id: string;
	readonly url: string;
	html(): string;
}

const leastWords = 50;

/** The pages of which the structure is known, in ../shared. */
export function structurePages(): SavedPage[] {
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

/** Words of the page that a reader sees outside menus, page headers and footers. */
function wordsOutsideMenus(html: string): number {
	const document = parseHtml(html);
	return segment(document.body, document.styles).blocks.reduce(
		(sum, { box, size }) => sum + (box.hidden || isInFurniture(box) ? 0 : size.words),
		0,
	);
}

/** Pages with 50 words and more outside menus of which `extract` returns nothing; their ids. */
export const emptyDocuments = (pages: readonly SavedPage[]): string[] =>
	pages.flatMap(({ id, url, html }) => {
		const source = html();
		const { text, markdown } = extract(source, url);
		const empty = text.trim() === '' || markdown.trim() === '';
		return empty && wordsOutsideMenus(source) >= leastWords ? [id] : [];
	});
