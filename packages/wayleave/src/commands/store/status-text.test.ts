import type { StoreStatus } from '@wayleave/crawler';
import { expect, it } from 'vitest';
import { statusText } from './status-text.ts';

it('C2-35 a run interrupted before its first result: sitemaps count as waiting, and URLs put off are named', () => {
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
		paused: { hosts: [], urls: { count: 2, until: Date.UTC(2026, 10, 30), example: 'https://a.example/limited' } },
		pages: { documents: 0, bytes: 0 },
		bytes: 1000,
		rows: [],
		pending: 2,
		waiting: [],
	};
	expect(statusText(status).split('\n').slice(2)).toEqual([
		'0 documents of 0 B, in a database of 1.0 kB',
		'',
		'2 URLs asked for a longer pause than the limit and are deferred until 2026-11-30T00:00:00.000Z or later: https://a.example/limited; --refresh requests them sooner',
		'',
		'2 URLs waiting, including sitemaps',
		'',
	]);
});
