import type { Element } from '../dom/node.ts';
import { type Collected, visibleText } from './collect.ts';
import { type Item, isItem, type JsonLd, typesOf, valuesOf } from './json-ld.ts';
import { ancestorsOf, isElsewhere, type Line } from './shown.ts';
import { cleanText, comparable } from './text.ts';

/** A by-line is short. */
const MAX_BYLINE = 120;

const META_NAMES = [
	'author',
	'article:author',
	'dc.creator',
	'dcterms.creator',
	'dc.contributor',
	'parsely-author',
	'sailthru.author',
	'byl',
	'citation_author',
	'article:author_name',
	'article.author',
	'authors',
	'creator',
	'og:article:author',
	'rbauthors',
];

interface Sources {
	readonly found: Collected;
	readonly data: JsonLd;
	readonly item: Item | undefined;
	/** Lines near the heading, asked for only when nothing else tells. */
	readonly lines: () => readonly Line[];
	/** The page's own heading. */
	readonly heading: Element | undefined;
	readonly siteName: string | undefined;
}

/**
 * Who wrote the page, in the order of trust: linked data, meta tags, microdata, by-lines. An organisation, or a
 * name that is only the site's, gives way to a person.
 */
export function authorsOf({ found, data, item, lines, heading, siteName }: Sources): string[] | undefined {
	const site = comparable(siteName ?? '');
	const isSite = (name: string): boolean =>
		site !== '' && (site.startsWith(comparable(name)) || comparable(name).startsWith(site));
	const home = ancestorsOf(heading);
	const sources = [
		() => fromItems(data, item),
		() => fromMetas(found),
		() => fromProperties(found, home),
		() => fromBylines(found, home),
		() => fromLines(lines()),
	];
	let fallback: string[] | undefined;
	for (const source of sources) {
		const names = distinct(source());
		const people = names.filter((name) => !isSite(name) && !ORGANISATION.test(name));
		if (people.length > 0) return people;
		if (names.length > 0) fallback ??= names;
	}
	return fallback;
}

const ORGANISATION =
	/\b(?:team|staff|editors?|editorial|inc|llc|ltd|gmbh|association|foundation|institute|university|magazine|media|news|company|corp|group|agency|department|ministry|society|council|admin)\b\.?$/i;

function fromItems(data: JsonLd, item: Item | undefined): string[] {
	const others = data.items.filter((other) => typesOf(other).some((type) => /Article|Posting|Recipe/.test(type)));
	for (const candidate of item === undefined ? data.items : [item, ...others]) {
		const values = [...valuesOf(data, candidate, 'author'), ...valuesOf(data, candidate, 'creator')];
		const names = values.flatMap((value) => nameOf(data, value, 0));
		if (names.length > 0) return names;
	}
	return [];
}

/** `author` may be a text, a person, a person whose name is a person, or a list in one. The name of an organisation is whole. */
function nameOf(data: JsonLd, value: unknown, depth: number): string[] {
	if (typeof value === 'string') return cleanName(value);
	if (!isItem(value) || depth > 3) return [];
	const whole = typesOf(value).some((type) => type !== 'Person');
	return valuesOf(data, value, 'name').flatMap((name) => {
		if (typeof name !== 'string' || !whole) return nameOf(data, name, depth + 1);
		const text = cleanText(name);
		return text === undefined ? [] : [text];
	});
}

function fromMetas({ metas }: Collected): string[] {
	for (const key of META_NAMES) {
		const catalogued = /^(?:dc|dcterms|citation)[._]/.test(key);
		const names = (metas.get(key) ?? []).flatMap((value) => (catalogued ? cataloguedName(value) : cleanName(value)));
		if (names.length > 0) return names;
	}
	return (metas.get('twitter:label1')?.[0] ?? '').match(/written by|author/i)
		? cleanName(metas.get('twitter:data1')?.[0] ?? '')
		: [];
}

/** Catalogues put the surname first: `Holm, Ole`. */
function cataloguedName(value: string): string[] {
	const [surname, name, ...more] = value.split(/\s*,\s*/);
	return name !== undefined && more.length === 0 && !/\s.*\s/.test(surname!)
		? cleanName(`${name} ${surname}`)
		: cleanName(value);
}

function fromProperties({ properties }: Collected, home: ReadonlySet<Element>): string[] {
	for (const { element } of properties.filter(({ names }) => names.includes('author')).slice(0, 20)) {
		if (isElsewhere(element, home)) continue;
		const inner = properties.find((other) => other.names.includes('name') && isWithin(other.element, element));
		const people = cleanName(element.attributes.content ?? visibleText(inner?.element ?? element, MAX_BYLINE));
		if (people.length > 0) return people;
	}
	return [];
}

function fromBylines({ bylines }: Collected, home: ReadonlySet<Element>): string[] {
	let best: string[] = [];
	let highest = 0;
	for (const element of bylines.slice(0, 60)) {
		if (isElsewhere(element, home)) continue;
		const text = visibleText(element, MAX_BYLINE);
		if (text === '' || text.length > MAX_BYLINE) continue;
		const score =
			(element.attributes.rel === 'author' ? 4 : 0) +
			(/author-?name|byline|fn(?=$|\s)/i.test(element.attributes.class ?? '') ? 2 : 0) +
			(/^(?:by|written by|von|par|por|di|av|door|автор)\b/i.test(text) ? 3 : 0) +
			1;
		const names = cleanName(text, true);
		if (names.length > 0 && score > highest) {
			best = names;
			highest = score;
		}
	}
	return best;
}

const BY =
	/^(?:(?:written|posted|published|words|story|text|article|authored)\s+)?(?:by|von|par|por|di|door|author|autor|автор|作者|著者)\b[\s:：]*/iu;

/** A short line near the heading that begins with "by", or stands behind one that says only that. */
function fromLines(lines: readonly Line[]): string[] {
	const inOrder = lines.toSorted((a, b) => a.distance - b.distance);
	for (const [i, { text }] of inOrder.entries()) {
		const lead = BY.exec(text)?.[0];
		if (lead === undefined || text.length > MAX_BYLINE) continue;
		const rest = lead.length === text.length ? (inOrder[i + 1]?.text ?? '') : text;
		const names = rest.length > 80 ? [] : cleanName(rest, true);
		if (names.length > 0) return names;
	}
	return [];
}

function isWithin(element: Element, outer: Element): boolean {
	for (let at = element.parent; at !== null; at = at.parent) if (at === outer) return true;
	return false;
}

const LEAD =
	/^(?:(?:last )?(?:written|post(?:ed)?|published|reviewed|updated|created|edited|story|words|text|article|guest post|contributed|submitted|authored)(?:\s+(?:and|&)\s+(?:reviewed|updated|edited|photographed))?\s+)?(?:by|von|par|por|di|av|af|door|autor(?:in)?|auteur|author|автор)(?:\s*[:：]\s*|\s+)|^(?:作者|著者|文|记者)(?:[:：/／]\s*|\s+)/i;
/** What follows a name in a by-line. */
const TAIL =
	/\s*(?:[|•·–—]|\bon\b|\bin\b|,?\s+(?:updated|published|posted|last|am|le|el)\b|,?\s*\d|,\s+(?:senior|staff|editor|contributor|contributing|writer|founder|ceo|cto|director|managing|head|chief|associate|freelance|product|marketing|content|the)\b|\(|[|@]|\s-\s).*$/isu;
const NOT_A_NAME =
	/^(?:admin(?:istrator)?|editor(?:ial)?|staff|author|authors|about the author|(?:visit|view|see|follow|read|meet) .*|unknown|anonymous|guest|user|root|null|undefined|none|n\/a|by|posts?|view all posts|read more|share|follow|contributors?|superuser|webmaster|human|(?:written|posted|published|updated|reviewed)(?: (?:by|on))?|\W*)$/i;

/** Names in a text: "By" and what follows a name taken off, lists parted. Addresses are no names. */
function cleanName(source: string, isByline = false): string[] {
	let text = cleanText(source)?.replace(LEAD, '') ?? '';
	if (/^(?:https?:)?\/\/|^www\./i.test(text) || text.length > 200) return [];
	text = text.replace(/\s*<?[\w.+-]+@[\w-]+\.[\w.]+>?/g, '').replace(/^@/, '');
	if (isByline) {
		text = text.replace(TAIL, '');
		if (text.length > 60 || /[.!?]\s/.test(text.replace(/\b(?:Dr|Mr|Mrs|Ms|Prof|Jr|Sr|St|Ph|[A-Z])\./g, ''))) return [];
	}
	return text
		.split(/\s*(?:;|\||\s+&\s+|\s+and\s+|\s+und\s+|\s+et\s+|、|，)\s*/)
		.flatMap((part) => (SUFFIX.test(part) ? [part] : part.split(/\s*,\s*/)))
		.map((name) => name.replace(LEAD, '').replace(/^[\s,.:–—«»-]+|[\s,:*–—«»-]+$/g, ''))
		.filter(
			(name) =>
				name.length > 1 &&
				name.length < 100 &&
				/\p{L}/u.test(name) &&
				!NOT_A_NAME.test(name) &&
				!(isByline && HAS_DATE.test(name)),
		);
}

const HAS_DATE =
	/\d|^(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?$|\b(?:january|february|march|april|june|july|august|september|october|november|december|minutes?|min read)\b/i;

/** Degrees after a comma belong to the name before it. */
const SUFFIX =
	/,\s*(?:Ph\.?\s?D|M\.?D|Jr|Sr|RN|RD|RDN|MBA|CPA|CFA|CFP|MSc?|MA|BA|BSc?|Esq|E-RYT|DDS|DVM|LCSW|MPH|PharmD|Inc|LLC|Ltd|GmbH|II|III)\b/i;

function distinct(names: readonly string[]): string[] {
	const seen = new Set<string>();
	return names.filter((name) => {
		const key = comparable(name);
		if (seen.has(key)) return false;
		seen.add(key);
		return true;
	});
}
