import { expect, it } from 'vitest';
import { extract } from './extract.ts';

const words =
	'The water rises twice a day and falls twice again, as the moon passes over the bay and the bay answers late.';
const story = Array.from({ length: 8 }, (_, n) => `<p>Paragraph ${n}. ${words}</p>`).join('');
const frame = (
	main: string,
	head = '',
) => `<!doctype html><html lang="en"><head><title>Tides</title>${head}</head><body>
	<header><a href="/">MARK-BRAND</a><nav><ul><li><a href="/a">MARK-NAV</a></li><li><a href="/b">MARK-MENU</a></li></ul></nav></header>
	${main}
	<aside class="ad advertisement"><p>MARK-AD buy boots now</p></aside>
	<footer><p>MARK-FOOTER all rights reserved</p></footer></body></html>`;

it('AWI-33 menus, footers and advertising are not content', () => {
	const { markdown } = extract(
		frame(`<main><article><h1>Tides</h1>${story}</article></main>`),
		'https://example.com/tides',
	);
	expect(markdown.match(/MARK-\w+/g)).toBeNull();
	for (let n = 0; n < 8; n++) expect(markdown).toContain(`Paragraph ${n}. ${words}`);
});

it('AWI-30 the content type is our class of the page, never a media type', () => {
	const article = `<script type="application/ld+json">{"@type":"NewsArticle","headline":"Tides"}</script><meta property="og:type" content="article">`;
	const product = `<script type="application/ld+json">{"@type":"Product","name":"Boots","offers":{"@type":"Offer","price":"39"}}</script><meta property="og:type" content="product">`;
	const shop = `<main><h1>Boots</h1><p>€ 39.00</p><button>Add to cart</button><p>${words}</p><ul><li>Waterproof</li><li>Size 42</li></ul></main>`;
	const types = [
		extract(frame(`<main><article><h1>Tides</h1>${story}</article></main>`, article), 'https://example.com/news/tides'),
		extract(frame(shop, product), 'https://shop.example/product/boots'),
	].map(({ contentType }) => contentType);
	expect(types).toEqual(['article', 'product']);
});

it('XB-53 links and images are made absolute against <base href>', () => {
	const inside = `<article>${story}<p>${words} <img src="x1.png" alt="fig"> <a href="#S1">sec</a> <a href="y.html">y</a></p></article>`;
	const { markdown } = extract(frame(inside, '<base href="/html/2312.00752v2/">'), 'https://a.test/html/2312.00752');
	expect(markdown).toContain('](https://a.test/html/2312.00752v2/x1.png)');
	expect(markdown).toContain('[y](https://a.test/html/2312.00752v2/y.html)');
});

it('XB-55 javascript: and empty links are their texts', () => {
	const inside = `<article>${story}<p>${words} <a href="javascript:void(0)">Menu</a> <a href="">Top</a> <a>Plain</a></p></article>`;
	const { markdown } = extract(frame(inside), 'https://a.test/');
	expect(markdown).toMatch(/late\. Menu .*Top.* Plain/);
	expect(markdown).not.toContain('javascript:');
});

it('favor: recall takes what is doubted, precision leaves it', () => {
	const teaser = (n: number): string =>
		`<div class="teaser"><h3><a href="/${n}">Another story, number ${n}</a></h3><p>${words}</p></div>`;
	const inside = `<article><h1>Tides</h1>${story}<figure><img src="a.png"><figcaption>CAPTION of the bay at noon</figcaption></figure>${story}<div>${[1, 2, 3, 4].map(teaser).join('')}</div></article>`;
	const of = (favor?: 'recall' | 'precision'): string[] =>
		extract(frame(inside), 'https://a.test/news/tides', favor && { favor }).text.split('\n');
	const [recall, balanced, precision] = [of('recall'), of(), of('precision')];
	expect(recall).toEqual(expect.arrayContaining(balanced));
	expect(balanced).toEqual(expect.arrayContaining(precision));
	expect(recall.length).toBeGreaterThan(precision.length);
	expect(precision.join()).toContain('Paragraph 7.');
});

it('a page that waits for its scripts has no type', () => {
	expect(extract('<title>App</title><div id=root></div>', 'https://a.example/app').contentType).toBeUndefined();
});
