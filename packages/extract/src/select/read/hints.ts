import { classBit, idBit, itempropBit, partNameBit, roleBit } from '../../dom/attribute-bits.ts';
import { type Element, emptyList } from '../../dom/node.ts';
import { hashOf, mix, seed, WordTable } from './word-table.ts';
import type { Words } from './words.ts';

/** Names for parts of a page, by kind: each kind is one bit. */
const kindWords = {
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
export const kindCount = Object.keys(kindWords).length;
/** Their words, and the bit of each by its number. */
const table = new WordTable();
const bits: number[] = [];
Object.values(kindWords).forEach((words, kind) => {
	for (const word of words.split(' ')) bits[table.add(word)] = 1 << kind;
});

/** The bit of a kind. */
export const kindBit = (kind: keyof typeof kindWords): number => 1 << Object.keys(kindWords).indexOf(kind);

/** Names that the author gave to elements of a page. Elements with the same names share one object. */
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
	/** Both, in which the words stand: for each its hash, where it begins and where it ends. See `ReadNames`. */
	readonly source: string;
	readonly words: readonly number[];
	/** The kinds of parts that the words speak of. */
	readonly kinds: number;
}

/** Characters of names that are looked at. */
const maxNames = 600;

const namingBits = idBit | roleBit | itempropBit | partNameBit;

/** Reads the names of elements. Those of a page repeat: each is taken apart once. */
export class NameReader {
	/** In the order in which they are met. */
	readonly all = emptyList<Names>();
	/** How many pairs of a tag and a class there are. */
	looks = 0;
	readonly #classes = new Map<string, Names>();
	readonly #others = new Map<string, Names>();
	readonly #looks: Looks[] = [];

	/** Names that the author gave to an element: in class, id, role, itemprop and data names, and by a tag of its own. */
	read({ attributes, attributeBits, tag }: Element): Names {
		const names = this.#ofClass((attributeBits & classBit) === 0 ? '' : (attributes.class ?? ''));
		const isCustom = tag.includes('-');
		// Most elements have a class and nothing else.
		if ((attributeBits & namingBits) === 0 && !isCustom) return names;
		const id = attributeBits & idBit ? (attributes.id ?? '') : '';
		const role = attributeBits & roleBit ? (attributes.role ?? '') : '';
		const itemprop = attributeBits & itempropBit ? (attributes.itemprop ?? '') : '';
		const hasPart = (attributeBits & partNameBit) !== 0;
		const test = hasPart ? (attributes['data-testid'] ?? '') : '';
		const component = hasPart ? (attributes['data-component'] ?? '') : '';
		const custom = isCustom ? tag : '';
		if (id.length + role.length + itemprop.length + test.length + component.length + custom.length === 0) return names;
		const written = `${names.className} ${id} ${role} ${itemprop} ${test} ${component}`;
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

	#ofClass(className: string): Names {
		let names = this.#classes.get(className);
		if (names === undefined) {
			names = this.#add(className, '', this.all.length, className);
			this.#classes.set(className, names);
		}
		return names;
	}

	#readOther(key: string, written: string, custom: string, { className, ofClass }: Names): Names {
		const names = this.#add(written, custom, ofClass, className);
		this.#others.set(key, names);
		return names;
	}

	#add(written: string, custom: string, ofClass: number, className: string): Names {
		const source = custom === '' ? written : `${written} ${custom}`;
		let count = 0;
		let kinds = 0;
		nameWords.begin(written, custom);
		while (nameWords.next()) {
			const { text, start, end, hash } = nameWords;
			const offset = text === written ? 0 : written.length + 1;
			found[count++] = hash;
			found[count++] = start + offset;
			found[count++] = end + offset;
			const number = table.find(text, start, end, hash);
			if (number >= 0) kinds |= bits[number]!;
		}
		const words = found.slice(0, count);
		const names = { index: this.all.length, ofClass, className, written, custom, source, words, kinds };
		this.all.push(names);
		return names;
	}
}

/** The words of the names that are read: each list is cut to its length. */
const found: number[] = [];

/** The numbers of the tags that have a class: most classes have one. */
interface Looks {
	readonly tag: string;
	readonly look: number;
	others: Map<string, number> | undefined;
}

/** Goes through the words of names that were taken apart already. */
export class ReadNames implements Words {
	text = '';
	start = 0;
	end = 0;
	hash = seed;
	#words: readonly number[] = [];
	#at = 0;

	begin({ source, words }: Names): void {
		this.text = source;
		this.#words = words;
		this.#at = 0;
	}

	next(): boolean {
		const words = this.#words;
		const at = this.#at;
		if (at >= words.length) return false;
		this.hash = words[at]!;
		this.start = words[at + 1]!;
		this.end = words[at + 2]!;
		this.#at = at + 3;
		return true;
	}
}

/** Shorter and longer words of names tell nothing. */
const minWord = 3;
const maxWord = 19;

/** The words of names: small letters, a capital and small letters, or capitals; and the parts of a tag of its own. */
export class NameWords implements Words {
	text = '';
	start = 0;
	end = 0;
	hash = seed;
	#length = 0;
	#custom = '';
	#isCustom = false;

	begin(written: string, custom: string): void {
		this.text = written;
		this.end = 0;
		this.#length = Math.min(written.length, maxNames);
		this.#custom = custom.length > maxNames ? custom.slice(0, maxNames) : custom;
		this.#isCustom = false;
	}

	next(): boolean {
		if (this.#isCustom) return this.#nextPart();
		let end = this.end;
		while (end < this.#length) {
			const start = end;
			end = this.#wordEnd(start);
			if (end - start < minWord || end - start > maxWord) continue;
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

	/** End of the word that begins here; one character further if none does. */
	#wordEnd(start: number): number {
		const { text } = this;
		const length = this.#length;
		let at = start;
		let hash = seed;
		let before = seed;
		while (at < length && isCapital(text.charCodeAt(at))) {
			before = hash;
			hash = mix(hash, text.charCodeAt(at++));
		}
		if (at > start + 1) {
			// `HTMLParser` is HTML and Parser.
			const goesOn = at < length && isSmall(text.charCodeAt(at));
			this.hash = goesOn ? before : hash;
			return goesOn ? at - 1 : at;
		}
		while (at < length && isSmall(text.charCodeAt(at))) hash = mix(hash, text.charCodeAt(at++));
		this.hash = hash;
		return Math.max(at, start + 1);
	}

	#nextPart(): boolean {
		const { text } = this;
		this.start = this.end + 1;
		const end = text.indexOf('-', this.start);
		this.end = end < 0 ? text.length : end;
		this.hash = hashOf(text, this.start, this.end);
		return this.start < text.length;
	}
}

const nameWords = new NameWords();

const isSmall = (unit: number): boolean => unit >= 97 && unit <= 122;
const isCapital = (unit: number): boolean => unit >= 65 && unit <= 90;
