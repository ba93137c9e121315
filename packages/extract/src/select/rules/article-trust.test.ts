import { expect, it } from 'vitest';
import { parseHtml } from '../../dom/parse.ts';
import { segment } from '../read/blocks.ts';
import { ArticleTrust } from './article-trust.ts';

/** What becomes of an even chance, by the text of the block. */
function judged(html: string): Record<string, number> {
	const segments = segment(parseHtml(html).body);
	const trust = new ArticleTrust(segments);
	return Object.fromEntries(segments.blocks.map((block) => [block.text, trust.judge(block, 0.5)]));
}

it('doubts asides, promotions and captions', () => {
	const long = 'word '.repeat(60).trim();
	expect(
		judged(`<p>text</p><constructor>odd</constructor><aside><div><p>aside</p></div></aside><div class="newsletter-signup"><p>promotion</p></div>
			<figure><figcaption>legend</figcaption></figure><p class="wp-caption-text">caption</p>
			<div class="caption"><p>${long}</p><p>inside</p></div>`),
	).toEqual({
		text: 0.5,
		odd: 0.5,
		aside: 0.25,
		promotion: 0.3,
		legend: 0.15,
		caption: 0.25,
		[long]: 0.5,
		inside: 0.5,
	});
});

it('posts of networks are part of the text, wherever they stand', () => {
	const post = (name: string) => `<blockquote class="${name}"><p>${name}</p></blockquote>`;
	const page = `${post('twitter-tweet')}<aside>${post('instagram-media')}</aside>${post('quote')}`;
	expect(judged(page)).toEqual({
		'twitter-tweet': 0.85,
		'instagram-media': 0.85,
		quote: 0.5,
	});
});

it('a part with most of the words is the page, whatever it calls itself', () => {
	const long = 'word '.repeat(60).trim();
	expect(judged(`<div class="promo"><p>${long}</p><aside><p>aside</p></aside></div><p>text</p>`)).toEqual({
		[long]: 0.5,
		aside: 0.25,
		text: 0.5,
	});
});
