import type { Element } from '../dom/node.ts';

/** What authors call the parts of a page, by kind: each kind is one bit. */
const KINDS = {
	comments: 'comment comments commentlist disqus respond discussion replies',
	related:
		'related recommended recommendation recommendations suggested similar upnext outbrain taboola popular trending latest recent teaser teasers more readmore next also',
	promo:
		'promo promotion advert advertisement advertising ads adv sponsor sponsored banner cta newsletter subscribe subscription signup paywall donate',
	share: 'share sharing social follow addthis sharedaddy shares',
	meta: 'byline author authors meta dateline published timestamp date time credit credits tag tags taxonomy category categories',
	bio: 'bio about vcard contributor',
	caption: 'caption captions figcaption imagecaption',
	nav: 'nav navbar navigation menu breadcrumb breadcrumbs pagination pager toc skip',
	sidebar: 'sidebar widget widgets rail aside secondary complementary',
	footer: 'footer foot copyright legal disclaimer colophon',
	header: 'header masthead topbar toolbar',
	modal: 'modal popup popover overlay dialog cookie cookies consent gdpr lightbox tooltip notice alert',
	content: 'content article entry post story body main text prose richtext rich',
	product: 'product description details detail spec specs specification specifications feature features overview pdp',
	price: 'price pricing cart buy checkout shipping quantity variant variants swatch stock delivery bag',
	review: 'review reviews rating ratings testimonial testimonials stars',
	tabs: 'tab tabs tabpanel accordion collapse collapsible panel toggle expand expandable faq',
	grid: 'grid list results items catalog gallery carousel slider swiper collection products tiles cards card',
	message: 'message messages thread topic reply cooked forum signature bbcode',
	user: 'user username profile avatar member',
	hero: 'hero jumbotron intro lead lede summary dek standfirst subtitle subheading excerpt',
	form: 'form login search filter filters sort facet facets refine',
};
export const KIND_COUNT = Object.keys(KINDS).length;
const kindOf = new Map(
	Object.values(KINDS).flatMap((words, bit) => words.split(' ').map((word) => [word, 1 << bit] as const)),
);

/** The bit of a kind. */
export const kindBit = (kind: keyof typeof KINDS): number => 1 << Object.keys(KINDS).indexOf(kind);

/** The kinds that these names speak of. */
export function kindsOf(tokens: readonly string[]): number {
	let bits = 0;
	for (const token of tokens) bits |= kindOf.get(token) ?? 0;
	return bits;
}

/** The words that authors put into class, id, role, itemprop and data names: `post-body__inner` → post body inner. */
export function nameTokens({ attributes, tag }: Element): readonly string[] {
	const names = `${attributes.class ?? ''} ${attributes.id ?? ''} ${attributes.role ?? ''} ${attributes.itemprop ?? ''} ${
		attributes['data-testid'] ?? ''
	} ${attributes['data-component'] ?? ''}`;
	if (names.length <= 5) return tag.includes('-') ? tag.split('-') : [];
	const tokens = new Set<string>();
	const source = names.length > 600 ? names.slice(0, 600) : names;
	for (const [token] of source.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)) {
		if (token.length > 2 && token.length < 20) tokens.add(token.toLowerCase());
	}
	if (tag.includes('-')) for (const part of tag.split('-')) tokens.add(part);
	return [...tokens];
}

/** The words of a short block, and its number of digits as a word: menus and notices repeat the same few. */
export function textTokens(text: string): readonly string[] {
	const found = (text.length > 400 ? text.slice(0, 400) : text).toLowerCase().match(/[\p{L}]+|©|\d+/gu) ?? [];
	const tokens = new Set<string>();
	for (const token of found) {
		if (token.length > 24) continue;
		tokens.add(token >= '0' && token <= '99999999' ? `#${Math.min(token.length, 5)}` : token);
	}
	return [...tokens];
}
