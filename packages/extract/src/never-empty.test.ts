import { describe, expect, it } from 'vitest';
import { needsShared, sharedPath } from '../../../scripts/shared.ts';
import { hash, loadPages, siteOf } from '../scripts/pages.ts';
import { emptyDocuments, type SavedPage, structurePages } from './testing/empty-documents.ts';

/** The pages of one site in so many; `never-empty.long.test.ts` reads all of them. */
const oneIn = (count: number, pages: readonly SavedPage[]) =>
	pages.filter((page) => hash(`empty:${siteOf(page)}`) % count === 0);

describe.skipIf(sharedPath('data/pages/structure/truth.json') === undefined)(
	`documents that are never empty ${needsShared}`,
	() => {
		it.each([
			['a third of the article set', () => oneIn(3, loadPages('article'))],
			['a twelfth of the mixed set', () => oneIn(12, loadPages('mixed'))],
			['a third of the structure set', () => oneIn(3, structurePages())],
		] as const)('%s: every page with 50 words outside menus has text', { timeout: 600_000 }, (_, pages) => {
			const all = pages();
			expect(all.length).toBeGreaterThan(20);
			expect(emptyDocuments(all)).toEqual([]);
		});
	},
);
