import { expect, it } from 'vitest';
import { needsShared, sharedPath } from '../../../scripts/shared.ts';
import { loadPages } from '../scripts/pages.ts';
import { emptyDocuments } from './testing/empty-documents.ts';

it.skipIf(sharedPath('data/pages/score.mjs') === undefined)(
	`mixed set: every page with 50 words outside menus has text ${needsShared}`,
	() => expect(emptyDocuments(loadPages('mixed'))).toEqual([]),
);
