import { expect, it } from 'vitest';
import { headline } from './testing/headline.ts';

it('PD-04 PD-29 PD-30 PD-31 300 pages, 20 changed: one request for the manifest, 20 for pages', async () => {
	const { first, changed, unchanged, audited } = await headline(300);
	expect(first).toMatchObject({ manifest: 1, totals: { fetched: 300 } });
	expect(first!.pages).toHaveLength(300);
	expect(changed).toMatchObject({ manifest: 1, others: [], audits: [], totals: { fetched: 20, unchanged: 280 } });
	expect([...changed!.pages].sort()).toEqual(Array.from({ length: 20 }, (_, at) => `/page/${at + 1}`).sort());
	// The file is the present state of the site, whatever was asked for.
	expect(changed!.lines).toEqual(first!.lines);
	expect(unchanged).toMatchObject({ manifest: 1, pages: [], others: [], totals: { unchanged: 300 } });
	expect(unchanged!.lines).toEqual(first!.lines);
	// 280 skips at 0.01: 2.8 audits are expected, and twenty would be a wonder.
	expect(audited!.pages.length).toBe(20 + audited!.audits.length);
	expect(audited!.audits.length).toBeLessThan(20);
	expect(audited!.drawn.filter(({ drawn }) => drawn)).toHaveLength(audited!.audits.length);
});
