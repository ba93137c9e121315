import { expect, it } from 'vitest';
import { needsShared, sharedPath } from '../../../scripts/shared.ts';
import { loadPages } from '../scripts/pages.ts';
import { emptyDocuments, structurePages } from './testing/empty-documents.ts';

it.skipIf(sharedPath('data/pages/score.mjs') === undefined).each([
	['article', () => loadPages('article')],
	['mixed', () => loadPages('mixed')],
	['structure', structurePages],
] as const)(`%s set: every page with 50 words outside menus has text ${needsShared}`, (_, pages) => {
	expect(emptyDocuments(pages())).toEqual([]);
});
