import { expect, it } from 'vitest';
import { moveAnchors, scoreAnchors } from './anchors.ts';

const page = (read: string, painted = read) => ({ read, painted });
const first = 'Boats leave the harbour of the old town at seven in the morning.';
const second = 'Nobody knows how the lighthouse came to stand on this small island.';
const document = `<a id="page-1"></a>${first}\n\n<a id="page-2"></a>${second}`;
const exact = (markdown: string, ...pages: ReturnType<typeof page>[]) => scoreAnchors(markdown, pages, []).exact;

it('anchors in their places are exact', () => {
	expect(exact(document, page(first), page(second))).toBe(2);
});

it('an anchor that stands one word too late is noticed, and one that is missing or there twice', () => {
	const late = document.replace('<a id="page-2"></a>Nobody ', 'Nobody <a id="page-2"></a>');
	expect(exact(late, page(first), page(second))).toBeLessThan(2);
	expect(exact(document.replace('<a id="page-2"></a>', ''), page(first), page(second))).toBeLessThan(2);
	expect(exact(`${document}<a id="page-2"></a>`, page(first), page(second))).toBeLessThan(2);
	expect(moveAnchors(document, [page(first), page(second)], [])).toEqual({ moved: 1, noticed: 1 });
});

it('a word that a line divides is on its page, in columns too', () => {
	const divided = first.replace('harbour', 'har-\nbour');
	const columns = first.replace('harbour', 'har-\nA second column\nbour');
	const again = `${second} The harbour is far.`;
	const whole = document.replace(second, again);
	const noted = `${again}\n1 Another harbour.`;
	expect(exact(whole, page(divided), page(noted))).toBe(2);
	expect(exact(whole, page(columns, divided), page(noted))).toBe(2);
	expect(exact(whole, page(first.replace('harbour', 'quay')), page(noted))).toBe(1);
});

it('a row of a table that a page divides belongs to both pages', () => {
	const row = '| Name | <a id="page-2"></a>Place far away | Year |';
	const table = `<a id="page-1"></a>${first}\n\n| a | b | c |\n| --- | --- | --- |\n${row}\n\n${second}`;
	expect(exact(table, page(`${first} a b c Name Place Year`), page(`far away ${second}`))).toBe(2);
});
