import type { Element } from '../dom/node.ts';
import { WordTable } from './word-table.ts';
import type { Words } from './words.ts';

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
/** Their words, and the bit of each by its number. */
const table = new WordTable();
const bits: number[] = [];
Object.values(KINDS).forEach((words, kind) => {
	for (const word of words.split(' ')) bits[table.add(word)] = 1 << kind;
});

/** The bit of a kind. */
export const kindBit = (kind: keyof typeof KINDS): number => 1 << Object.keys(KINDS).indexOf(kind);

/** What the author calls some elements of a page. Those of the same names share them. */
export interface Names {
	/** Position among the names of the page. */
	readonly index: number;
	/** The names that are this class and nothing else. */
	readonly ofClass: number;
	readonly className: string;
	/** As in the source: `post-body__inner`, of which the words are post body inner. */
	readonly written: string;
	/** The name of a tag of its own, else empty. */
	readonly custom: string;
	/** The kinds of parts that the words speak of. */
	readonly kinds: number;
}

/** Characters of names that are looked at. */
const MOST_NAMES = 600;

/** Reads the names of elements. Those of a page repeat: each is taken apart once. */
export class NameReader {
	/** In the order in which they are met. */
	readonly all: Names[] = [];
	/** How many pairs of a tag and a class there are. */
	looks = 0;
	readonly #classes = new Map<string, Names>();
	readonly #others = new Map<string, Names>();
	readonly #looks: Looks[] = [];

	/** What the author calls an element: in class, id, role, itemprop and data names, and by a tag of its own. */
	read({ attributes, tag }: Element): Names {
		const { class: className = '', id = '', role = '', itemprop = '' } = attributes;
		const test = attributes['data-testid'] ?? '';
		const component = attributes['data-component'] ?? '';
		const custom = tag.includes('-') ? tag : '';
		const names = this.#classes.get(className) ?? this.#readClass(className);
		// Most elements have a class and nothing else.
		if (id.length + role.length + itemprop.length + test.length + component.length + custom.length === 0) return names;
		const written = `${className} ${id} ${role} ${itemprop} ${test} ${component}`;
		const key = `${custom} ${written}`;
		return this.#others.get(key) ?? this.#readOther(key, written, custom, names);
	}

	/** The number of a tag with the class of these names. */
	lookOf({ ofClass }: Names, tag: string): number {
		const looks = this.#looks[ofClass];
		if (looks === undefined) {
			this.#looks[ofClass] = { tag, look: this.looks, others: undefined };
			return this.looks++;
		}
		if (looks.tag === tag) return looks.look;
		looks.others ??= new Map();
		let look = looks.others.get(tag);
		if (look === undefined) {
			look = this.looks++;
			looks.others.set(tag, look);
		}
		return look;
	}

	#readClass(className: string): Names {
		const names = this.#add(className, '', this.all.length, className);
		this.#classes.set(className, names);
		return names;
	}

	#readOther(key: string, written: string, custom: string, { className, ofClass }: Names): Names {
		const names = this.#add(written, custom, ofClass, className);
		this.#others.set(key, names);
		return names;
	}

	#add(written: string, custom: string, ofClass: number, className: string): Names {
		const names = { index: this.all.length, ofClass, className, written, custom, kinds: kindsOf(written, custom) };
		this.all.push(names);
		return names;
	}
}

/** The numbers of the tags that have a class: most classes have one. */
interface Looks {
	readonly tag: string;
	readonly look: number;
	others: Map<string, number> | undefined;
}

function kindsOf(written: string, custom: string): number {
	let kinds = 0;
	nameWords.begin(written, custom);
	while (nameWords.next()) {
		const number = table.find(nameWords.text, nameWords.start, nameWords.end);
		if (number >= 0) kinds |= bits[number]!;
	}
	return kinds;
}

/** Shorter and longer words of names tell nothing. */
const LEAST_WORD = 3;
const MOST_WORD = 19;

/** The words of names: small letters, a capital and small letters, or capitals; and the parts of a tag of its own. */
export class NameWords implements Words {
	text = '';
	start = 0;
	end = 0;
	#length = 0;
	#custom = '';
	#isCustom = false;

	begin(written: string, custom: string): void {
		this.text = written;
		this.end = 0;
		this.#length = Math.min(written.length, MOST_NAMES);
		this.#custom = custom;
		this.#isCustom = false;
	}

	next(): boolean {
		if (this.#isCustom) return this.#nextPart();
		const { text } = this;
		let end = this.end;
		while (end < this.#length) {
			const start = end;
			end = wordEnd(text, start, this.#length);
			if (end - start < LEAST_WORD || end - start > MOST_WORD) continue;
			this.start = start;
			this.end = end;
			return true;
		}
		if (this.#custom === '') return false;
		this.text = this.#custom;
		this.#isCustom = true;
		this.end = -1;
		return this.#nextPart();
	}

	#nextPart(): boolean {
		const { text } = this;
		this.start = this.end + 1;
		const end = text.indexOf('-', this.start);
		this.end = end < 0 ? text.length : end;
		return this.start < text.length;
	}
}

const nameWords = new NameWords();

const isSmall = (unit: number): boolean => unit >= 97 && unit <= 122;
const isCapital = (unit: number): boolean => unit >= 65 && unit <= 90;

/** Where the word ends that begins here; after one character where none does. */
function wordEnd(text: string, start: number, length: number): number {
	let at = start;
	while (at < length && isCapital(text.charCodeAt(at))) at++;
	// `HTMLParser` is HTML and Parser.
	if (at > start + 1) return at < length && isSmall(text.charCodeAt(at)) ? at - 1 : at;
	while (at < length && isSmall(text.charCodeAt(at))) at++;
	return Math.max(at, start + 1);
}
