import { expect, it } from 'vitest';
import { declaredUrl } from './declared-url.ts';

it('prefers the canonical link, then og:url, then the base', () => {
	const base = '<base href="https://example.com/base/">';
	const graph = '<meta property="og:url" content="https://example.com/graph">';
	const canonical = '<link rel="canonical" href="https://example.com/canonical">';
	expect(declaredUrl(base + graph + canonical)).toBe('https://example.com/canonical');
	expect(declaredUrl(base + graph)).toBe('https://example.com/graph');
	expect(declaredUrl(base)).toBe('https://example.com/base/');
});

it('takes no relative address and none that is not http', () => {
	expect(declaredUrl('<link rel="canonical" href="/a"><base href="ftp://example.com/">')).toBeUndefined();
	expect(declaredUrl('<p>nothing</p>')).toBeUndefined();
});

it('prefers og:url to a canonical link that names the front page or a part of a page', () => {
	const graph = '<meta property="og:url" content="https://example.com/graph">';
	const canonical = (href: string) => `<link rel="canonical" href="${href}">`;
	for (const href of ['https://example.com', 'https://example.com/index.php', 'https://example.com/a#b']) {
		expect(declaredUrl(canonical(href) + graph)).toBe('https://example.com/graph');
		expect(declaredUrl(canonical(href))).toBe(new URL(href).href);
	}
	expect(declaredUrl(`${canonical('https://example.com/?p=1')}${graph}`)).toBe('https://example.com/?p=1');
});
