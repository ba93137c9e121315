import { describe, expect, it } from 'vitest';
import { computeSignals, isHeadingHierarchyOk } from './signals.ts';

const ok = (...levels: number[]) => isHeadingHierarchyOk(levels.map((level) => ({ level })));

describe('heading_hierarchy_ok', () => {
	it('AWI-41 is false without a heading and true for a well-formed outline', () => {
		expect(ok()).toBe(false);
		expect(ok(1, 2, 3, 3, 2)).toBe(true);
	});

	it('AWI-42 is false when the first heading is deeper than h2', () => {
		expect(ok(3, 3)).toBe(false);
		expect(ok(2, 3)).toBe(true);
	});

	it('AWI-43 is false when a step down skips a level', () => {
		expect(ok(1, 3)).toBe(false);
		expect(ok(1, 2, 3)).toBe(true);
	});

	it('AMB-28 a step up may be of any size', () => {
		expect(ok(2, 3, 4, 2)).toBe(true);
		expect(ok(1, 2, 3, 4, 5, 6, 1)).toBe(true);
	});
});

it('AWI-40 AWI-46 the signals follow from the document alone', () => {
	const source = { markdown: '# One\n\ntwo three', headings: [{ level: 1, text: 'One' }], hasJsonLd: true };
	expect(computeSignals(source)).toEqual({
		word_count: 3,
		reading_time: 1,
		has_json_ld: true,
		heading_hierarchy_ok: true,
	});
	expect(computeSignals(source)).toEqual(computeSignals(structuredClone(source)));
	expect(computeSignals({ markdown: '', hasJsonLd: false })).toEqual({
		word_count: 0,
		reading_time: 0,
		has_json_ld: false,
		heading_hierarchy_ok: false,
	});
});
