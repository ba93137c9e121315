import type { StoreStatus } from '@wayleave/crawler';
import { expect, it } from 'vitest';
import { statusText } from './status-text.ts';

it('a run that was interrupted before anything ended: what waits counts sitemaps, and no part is empty', () => {
	const status: StoreStatus = {
		run: { mode: 'new', state: 'interrupted', startedAt: '2026-01-01T00:00:00.000Z' },
		urls: 1,
		hosts: 1,
		policyFiles: 2,
		causes: [],
		seeds: [],
		sitemaps: { read: 0, failed: 0 },
		duplicates: { pages: 0, examples: [], aliases: [] },
		learned: [],
		pages: { documents: 0, bytes: 0 },
		bytes: 1000,
		rows: [],
		pending: 2,
		waiting: [],
	};
	expect(statusText(status).split('\n').slice(2)).toEqual([
		'0 documents of 0 B, in a database of 1.0 kB',
		'',
		'2 addresses waiting, counting sitemaps',
		'',
	]);
});
