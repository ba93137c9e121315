import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { needsShared, sharedPath } from '../../../scripts/shared.ts';
import { hash, loadPages, siteOf } from '../scripts/pages.ts';
import { emptyDocuments, type SavedPage } from './testing/empty-documents.ts';

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

/** `never-empty.long.test.ts` reads all of it. */
const someOfMixed = () => loadPages('mixed').filter((page) => hash(`empty:${siteOf(page)}`) % 6 === 0);

describe.skipIf(sharedPath('data/pages/structure/truth.json') === undefined)(
	`documents that are never empty ${needsShared}`,
	() => {
		it.each([
			['article set', () => loadPages('article')],
			['a sixth of the mixed set', someOfMixed],
			['structure set', structurePages],
		] as const)('%s: every page with 50 words outside menus has text', { timeout: 600_000 }, (_, pages) => {
			const all = pages();
			expect(all.length).toBeGreaterThan(80);
			expect(emptyDocuments(all)).toEqual([]);
		});
	},
);
