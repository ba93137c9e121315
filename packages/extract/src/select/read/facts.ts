import { parseUrl } from '@wayleave/protocols/url';
import { itempropBit, itemtypeBit } from '../../dom/attribute-bits.ts';
import type { Document } from '../../dom/node.ts';
import { textContent, walk } from '../../dom/walk.ts';
import { namesOnePage } from '../../metadata/stated-address.ts';

/** Statements of a page outside its text: evidence for its type and for the place of its title. */
export interface Facts {
	readonly host: string;
	/** Lower-case path of the URL. */
	readonly path: string;
	/** The query has parameters. */
	readonly query: boolean;
	/** Text of `<title>`, and og:title. */
	readonly titles: readonly string[];
	readonly ogType: string;
	/** Names of the schema.org types that JSON-LD and microdata use, lower case. */
	readonly schemaTypes: ReadonlySet<string>;
	/** `<meta name=generator>` and the classes of html and body: the software speaks there. */
	readonly software: string;
	/** How many elements of some names the page has. */
	readonly tags: ReadonlyMap<string, number>;
	/** Number of products in its JSON-LD. */
	readonly products: number;
	/** Requirements of its steps by the page's metadata: ingredients, supplies, tools. */
	readonly needed: readonly string[];
	/** Texts that the page's data hold, by what they are there: the page shows them again. */
	readonly declared: Readonly<Record<DeclaredKind, readonly string[]>>;
}

export type DeclaredKind = 'body' | 'text' | 'review';

/** The key of a text in JSON-LD says what it is; a `text` may be a post, an answer or a comment. */
const declaredFields: Readonly<Record<string, DeclaredKind>> = {
	articleBody: 'body',
	description: 'body',
	text: 'text',
	reviewBody: 'review',
};
/** Where a text property of JSON-LD begins, which is read without parsing it. */
const declaredText = /"(articleBody|description|text|reviewBody)"\s*:\s*"/g;

/** Collects the facts in one walk over the page. */
export function collectFacts(document: Document, url: string): Facts {
	const titles: string[] = [];
	const schemaTypes = new Set<string>();
	const tags = new Map<string, number>();
	const declared: Record<DeclaredKind, string[]> = { body: [], text: [], review: [] };
	const needed: string[] = [];
	let canonical = '';
	let products = 0;
	let ogType = '';
	let software = `${document.html.attributes.class ?? ''} ${document.body.attributes.class ?? ''}`;
	walk(document.html, (node) => {
		if (node.kind === 'text') return false;
		const { tag, attributes, attributeBits } = node;
		if (tag === 'svg') return false;
		tags.set(tag, (tags.get(tag) ?? 0) + 1);
		if (tag === 'title' && titles.length === 0) titles.push(textContent(node).trim().slice(0, 500));
		else if (tag === 'script') {
			if (attributes.type?.includes('ld+json')) {
				const data = textContent(node).slice(0, 500_000);
				addJsonLdTypes(data, schemaTypes);
				addDeclared(data, declared);
				products += data.match(product)?.length ?? 0;
				for (const [, list] of data.matchAll(neededPattern))
					for (const [, text] of list!.matchAll(string)) if (needed.length < maxNeeded) needed.push(plain(text!));
			}
		} else if (tag === 'link') {
			if (/(?:^|\s)canonical(?:\s|$)/i.test(attributes.rel ?? '')) canonical ||= attributes.href ?? '';
		} else if (tag === 'meta') {
			const name = (attributes.property ?? attributes.name)?.toLowerCase();
			if (name === 'og:type') ogType ||= attributes.content?.toLowerCase() ?? '';
			else if (name === 'og:title') titles.push(attributes.content?.trim().slice(0, 500) ?? '');
			else if (name === 'description' || name === 'og:description') declared.body.push(attributes.content ?? '');
			else if (name === 'generator') software += ` ${attributes.content ?? ''}`;
		}
		if ((attributeBits & (itemtypeBit | itempropBit)) === 0) return true;
		const { itemtype, itemprop } = attributes;
		if (itemprop !== undefined && neededProperty.test(itemprop) && needed.length < maxNeeded)
			needed.push(textContent(node).slice(0, maxNeededText));
		if (itemtype !== undefined && itemtype.length < 500) {
			for (const type of itemtype.split(/\s+/)) schemaTypes.add(type.slice(type.lastIndexOf('/') + 1).toLowerCase());
		}
		return true;
	});
	const parsed = parseUrl(tellingAddress(url, canonical));
	return {
		needed,
		products,
		host: parsed?.hostname ?? '',
		path: (parsed?.pathname ?? '/').toLowerCase(),
		query: (parsed?.search ?? '') !== '',
		titles: titles.filter((title) => title !== '').slice(0, 4),
		ogType,
		schemaTypes,
		software: software.toLowerCase().slice(0, 2000),
		tags,
		declared,
	};
}

const product = /"@type"\s*:\s*"Product"/g;
/** Lists of ingredients and tools in JSON-LD, of bounded length. */
const neededPattern = /"(?:recipeIngredient|ingredients|supply|tool)"\s*:\s*\[([^\]]{1,20000})\]/g;
const string = /"((?:[^"\\]|\\.){1,300})"/g;
/** The same in microdata. */
const neededProperty = /^(?:recipeIngredient|ingredients|supply|tool)$/;
const maxNeeded = 200;
const maxNeededText = 300;

/** The more descriptive address of the page: the canonical one if the given path has no words. */
function tellingAddress(url: string, canonical: string): string {
	const own = parseUrl(url);
	const other = canonical === '' || !URL.canParse(canonical, url) ? undefined : parseUrl(new URL(canonical, url).href);
	if (own === undefined || other === undefined || !namesOnePage(other.href)) return url;
	return wordsIn(own.pathname) < 2 && wordsIn(other.pathname) >= 2 ? other.href : url;
}

const wordsIn = (path: string): number => path.match(/\p{L}{3,}/gu)?.length ?? 0;

/** Types are read by pattern: broken JSON-LD names its types too. */
function addJsonLdTypes(data: string, into: Set<string>): void {
	for (const [, one, many] of data.matchAll(/"@type"\s*:\s*(?:"([^"]{1,80})"|\[([^\]]{1,300})\])/g)) {
		for (const name of (one ?? many ?? '').split(',')) {
			const bare = name.replace(/["\s]/g, '');
			into.add(bare.slice(bare.lastIndexOf('/') + 1).toLowerCase());
		}
	}
}

/** A pattern for the whole text would keep a place to go back to for each of its characters, in memory of its own. */
function addDeclared(data: string, into: Record<DeclaredKind, string[]>): void {
	declaredText.lastIndex = 0;
	for (let found = declaredText.exec(data); found !== null; found = declaredText.exec(data)) {
		const start = declaredText.lastIndex;
		const end = stringEnd(data, start);
		if (end < 0) break;
		into[declaredFields[found[1]!]!].push(plain(data.slice(start, end)));
		declaredText.lastIndex = end + 1;
	}
}

/** The quotation mark that ends the JSON string from there on, the first that no backslash escapes; -1 without one. */
function stringEnd(data: string, start: number): number {
	for (let end = data.indexOf('"', start); end >= 0; end = data.indexOf('"', end + 1)) {
		let before = end;
		while (before > start && data.charCodeAt(before - 1) === backslashCode) before--;
		if ((end - before) % 2 === 0) return end;
	}
	return -1;
}

const backslashCode = 92;

/** The inside of a JSON string without escapes and markup, near enough to compare words. */
const plain = (inside: string): string =>
	inside
		.replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
		.replace(/\\[nrt]|\\/g, ' ')
		.replace(/<[^<>]*>|&[a-z]+;/gi, ' ');
