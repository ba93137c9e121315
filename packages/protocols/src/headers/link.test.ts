import fc from 'fast-check';
import Peer from 'http-link-header';
import { describe, expect, it } from 'vitest';
import { formatLinkHeader, parseLinkHeader } from './link.ts';

const plain = (text: string) =>
	parseLinkHeader(text).map(({ target, rel, params }) => ({ target, rel, ...Object.fromEntries(params) }));

describe('RFC 8288 appendix B.2', () => {
	it('reads targets, several relations and quoted commas', () => {
		expect(plain('<https://a.test/?x=1,2>; rel="next  Prev"; title="a, \\"b\\"; c", </up>;REL=up')).toEqual([
			{ target: 'https://a.test/?x=1,2', rel: ['next', 'prev'], title: 'a, "b"; c' },
			{ target: '/up', rel: ['up'] },
		]);
	});

	it('keeps the first of a repeated parameter (§3.3)', () => {
		expect(plain('<a>; rel=one; rel=two; type="t/1"; type="t/2"')).toEqual([
			{ target: 'a', rel: ['one'], type: 't/1' },
		]);
	});

	it('prefers a readable title* to title (§3.4.2)', () => {
		expect(plain("<a>; title=plain; title*=UTF-8'de'n%c3%a4chstes%20Kapitel")).toEqual([
			{ target: 'a', rel: [], title: 'nächstes Kapitel' },
		]);
		expect(plain("<a>; title=plain; title*=UTF-8''%ff")).toEqual([{ target: 'a', rel: [], title: 'plain' }]);
		expect(plain("<a>; title*=iso-8859-1'en'%A3")).toEqual([{ target: 'a', rel: [], title: '£' }]);
		expect(plain('<a>; title*=broken; x')).toEqual([{ target: 'a', rel: [], x: '' }]);
	});

	it('keeps what stands before a fault', () => {
		expect(plain('<a>; rel=x, garbage, <b>; rel=y')).toEqual([{ target: 'a', rel: ['x'] }]);
		expect(plain('<a>; rel=x, <b')).toEqual([{ target: 'a', rel: ['x'] }]);
		expect(plain('nothing')).toEqual([]);
		expect(plain(' , ,<a>;;rel=x;')).toEqual([{ target: 'a', rel: ['x'] }]);
	});

	it('a parameter may be named like a member of every object', () => {
		expect(parseLinkHeader('<a>; __proto__=x; constructor=y')[0]!.params.get('__proto__')).toBe('x');
	});
});

const value = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/[\u0000-\u001f\u007f]/g, ''));
const link = fc.record({
	target: fc.stringMatching(/^[a-z/?=&,;:.]{1,12}$/),
	rel: fc.array(fc.stringMatching(/^[a-z-]{1,8}$/), { maxLength: 2 }),
	params: fc
		.array(fc.tuple(fc.constantFrom('title', 'type', 'x'), value), { maxLength: 3 })
		.map((entries) => new Map(entries)),
});

it('reads back its own output', () => {
	fc.assert(
		fc.property(fc.array(link), (links) => void expect(parseLinkHeader(formatLinkHeader(links))).toEqual(links)),
	);
});

it('reads what http-link-header reads', () => {
	const ascii = link.filter(({ params }) => [...params.values()].every((text) => /^[ !#-[\]-~]*$/.test(text)));
	fc.assert(
		fc.property(fc.array(ascii, { minLength: 1 }), (links) => {
			const text = formatLinkHeader(links.map((one) => ({ ...one, rel: ['only'] })));
			const theirs = Peer.parse(text).refs.map(({ uri, rel, ...rest }) => ({ target: uri, rel: [rel], ...rest }));
			// The peer lower-cases media types, which are compared without regard to case anyway.
			const ours = plain(text).map((one) => ('type' in one ? { ...one, type: String(one.type).toLowerCase() } : one));
			expect(ours).toEqual(theirs);
		}),
	);
});

it('no text throws', () => {
	fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseLinkHeader(text)));
	const alphabet = fc.constantFrom(...'<>;,="\\*\'%a \t'.split(''));
	fc.assert(fc.property(fc.array(alphabet), (chars) => void parseLinkHeader(chars.join(''))));
	expect(parseLinkHeader('<a>,'.repeat(100_000)).length).toBe(100_000);
});
