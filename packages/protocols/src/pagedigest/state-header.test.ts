import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildPageDigestState, type PageDigestState, parsePageDigestState } from './index.ts';

const vectors = JSON.parse(
	readFileSync(new URL('../../../../vectors/pagedigest/state-header.json', import.meta.url), 'utf8'),
) as { value: string; parsed: PageDigestState | null }[];

describe('PageDigest-State, pagedigest §5.4', () => {
	it.each(vectors.filter(({ parsed }) => parsed !== null))(
		'PD-49 PD-51 $value is read, and written the same',
		({ value, parsed }) => {
			expect(parsePageDigestState(value)).toEqual(parsed);
			expect(buildPageDigestState(parsed!)).toBe(value);
		},
	);

	it.each(vectors.filter(({ parsed }) => parsed === null))('PD-51 $value is no signal', ({ value }) => {
		expect(parsePageDigestState(value)).toBeUndefined();
	});

	it('PD-49 nothing outside the grammar is built, nothing throws on reading', () => {
		for (const bad of [{ siteRev: -1 }, { siteRev: 1.5 }, { siteRev: 2 ** 53 }, { siteRev: 1, manifest: '/a"b' }]) {
			expect(() => buildPageDigestState(bad)).toThrow(RangeError);
		}
		fc.assert(fc.property(fc.string(), (value) => void parsePageDigestState(`site_rev=1; manifest="/${value}`)));
	});
});
