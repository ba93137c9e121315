import { expect, it } from 'vitest';
import { headline } from './testing/headline.ts';

it('10,000 pages, 20 changed: one request for the manifest, 20 for pages, audits at the set rate', async () => {
	const { first, changed, unchanged, audited } = await headline(10_000);
	for (const [name, { milliseconds, pages, audits }] of Object.entries({
		first,
		changed,
		unchanged,
		audited,
	}) as never as [string, { milliseconds: number; pages: string[]; audits: string[] }][])
		console.log(
			`${name}: ${pages.length} pages asked for, ${audits.length} of them audits, ${(milliseconds / 1000).toFixed(1)} s`,
		);
	expect(first).toMatchObject({ manifest: 1, totals: { fetched: 10_000 } });
	expect(changed).toMatchObject({ manifest: 1, others: [], audits: [], totals: { fetched: 20, unchanged: 9980 } });
	expect(changed!.pages).toHaveLength(20);
	expect(changed!.lines).toEqual(first!.lines);
	expect(unchanged).toMatchObject({ manifest: 1, pages: [], others: [], totals: { unchanged: 10_000 } });
	// 9,980 skips at 0.01, with a standard deviation of 10.
	expect(audited!.pages.length).toBe(20 + audited!.audits.length);
	expect(audited!.audits.length).toBeGreaterThan(40);
	expect(audited!.audits.length).toBeLessThan(160);
}, 600_000);
