import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readHeadTags } from './head-tags.ts';

const meta = (html: string) => readHeadTags(html, 'u').meta.map(({ name, content, line }) => [name, content, line]);

it('reads meta tags in any spelling, with their lines', () => {
	expect(meta('<meta name="robots" content="noai">\n\n<META CONTENT=noindex NAME=googlebot />')).toEqual([
		['robots', 'noai', 1],
		['googlebot', 'noindex', 3],
	]);
});
it('XB-52 reads attributes without space between them', () => {
	expect(meta("<meta name='robots'content='noindex,follow'/>")).toEqual([['robots', 'noindex,follow', 1]]);
});
it('takes nothing out of comments, scripts, and attribute values', () => {
	const tag = '<meta name=robots content=noai>';
	expect(meta(`<!--${tag}--><script>"${tag}"</script><title>${tag}</TITLE><p title='${tag}'>`)).toEqual([]);
	expect(meta(`<!-- never closed ${tag}`)).toEqual([]);
});
it('finds RSL links and leaves other licences alone', () => {
	const html =
		'<link rel=license href=/cc>\n<link rel="nofollow LICENSE" type="application/rsl+xml" href="/l?a&amp;b">';
	expect(readHeadTags(html, 'https://a.test/').licences).toMatchObject([{ url: '/l?a&b', line: 2 }]);
});
it('never throws, and ends on any text', () => {
	const pieces = fc.constantFrom('<', 'meta', ' ', 'name', '=', '"', "'", '/', '>', '<!--', '<script', '</', '\n', 'x');
	fc.assert(
		fc.property(
			fc.array(pieces).map((all) => all.join('')),
			(html) => void readHeadTags(html, 'u'),
		),
	);
});
it('reads a long unclosed page in one pass', () => {
	expect(meta('<meta '.repeat(20_000))).toEqual([]);
	expect(meta('<a b="'.repeat(20_001))).toEqual([]);
});
