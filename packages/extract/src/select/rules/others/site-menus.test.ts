import { expect, it } from 'vitest';
import { parseHtml } from '../../../dom/parse.ts';
import { segment } from '../../read/blocks.ts';
import { collectFacts } from '../../read/facts.ts';
import { dropSiteMenus } from './site-menus.ts';

/** How many blocks of a page are dropped. */
function dropped(html: string): number {
	const document = parseHtml(html);
	const segments = segment(document.body);
	let count = 0;
	dropSiteMenus(segments, collectFacts(document, 'https://site.test/guide/types/'), (start, end) => {
		count += end - start;
	});
	return count;
}

const entries = (...own: string[]): string =>
	[...own, '/guide/', '/guide/classes/', '/guide/enums/', '/guide/modules/', '/guide/generics/', '/blog/', '/api/']
		.map((href) => `<li><a href="${href}">Some page</a></li>`)
		.join('');

it('a long list of links with one to the page itself', () => {
	for (const own of ['/guide/types/', '/guide/Types', 'https://site.test/guide/types/index.html', './'])
		expect(dropped(`<p>Text</p><ul>${entries(own)}</ul>`), own).toBe(8);
	expect(dropped(`<ul><li>Guide<ul>${entries('./')}</ul></li></ul>`)).toBe(9);
});

it('not without such a link, not a short list, not entries with text', () => {
	for (const other of ['/guide/types/more', '#types', './#part', '?page=2', 'https://other.test/guide/types/'])
		expect(dropped(`<ul>${entries(other)}</ul>`), other).toBe(0);
	expect(dropped('<ul><li><a href="./">Types</a></li><li><a href="/guide/">Guide</a></li></ul>')).toBe(0);
	expect(dropped(`<ul>${entries('./').replaceAll('</li>', ' is described at some length</li>')}</ul>`)).toBe(0);
});
