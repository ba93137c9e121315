import type { Element } from '../dom/node.ts';
import { lettersAndNumbers } from './words.ts';

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

/** What the names of an element tell of it. */
export interface Names {
	/** Its words: `post-body__inner` → post body inner. */
	readonly words: readonly string[];
	/** The kinds of parts that they speak of. */
	readonly kinds: number;
}

const NO_NAMES: Names = { words: [], kinds: 0 };
/** Characters of names that are looked at. */
const MOST_NAMES = 600;

/** Reads the names of elements. Those of a page repeat: each is taken apart once. */
export class NameReader {
	readonly #classes = new Map<string, Names>();
	readonly #others = new Map<string, Names>();

	/** What the author calls an element: in class, id, role, itemprop and data names, and by a tag of its own. */
	read({ attributes, tag }: Element): Names {
		const { class: className = '', id = '', role = '', itemprop = '' } = attributes;
		const test = attributes['data-testid'] ?? '';
		const component = attributes['data-component'] ?? '';
		const custom = tag.includes('-') ? tag : '';
		// Most elements have a class and nothing else.
		if (id.length + role.length + itemprop.length + test.length + component.length + custom.length === 0)
			return className === '' ? NO_NAMES : this.#look(this.#classes, className, className, '');
		const written = `${className} ${id} ${role} ${itemprop} ${test} ${component}`;
		return this.#look(this.#others, `${custom} ${written}`, written, custom);
	}

	#look(known: Map<string, Names>, key: string, written: string, custom: string): Names {
		const before = known.get(key);
		if (before !== undefined) return before;
		const words = nameWords(written.slice(0, MOST_NAMES), custom);
		const names = { words, kinds: kindsOf(words) };
		known.set(key, names);
		return names;
	}
}

function nameWords(names: string, custom: string): string[] {
	const words = new Set<string>();
	for (const word of names.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [])
		if (word.length > 2 && word.length < 20) words.add(word.toLowerCase());
	if (custom !== '') for (const part of custom.split('-')) words.add(part);
	return [...words];
}

function kindsOf(words: readonly string[]): number {
	let bits = 0;
	for (const word of words) bits |= kindOf.get(word) ?? 0;
	return bits;
}

/** The words of a short block, and its number of digits as a word: menus and notices repeat the same few. */
export function textTokens(text: string): readonly string[] {
	const tokens = new Set<string>();
	for (const token of lettersAndNumbers((text.length > 400 ? text.slice(0, 400) : text).toLowerCase())) {
		if (token.length > 24) continue;
		const isNumber = token.charCodeAt(0) <= 57 && token <= '99999999';
		tokens.add(isNumber ? `#${Math.min(token.length, 5)}` : token);
	}
	return [...tokens];
}
