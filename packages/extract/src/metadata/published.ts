import type { Element } from '../dom/node.ts';
import { type Collected, visibleText } from './collect.ts';
import { parseDate } from './dates.ts';
import { type Item, type JsonLd, textOf, typesOf } from './json-ld.ts';

const PUBLISHED = [
	'article:published_time',
	'og:article:published_time',
	'datepublished',
	'parsely-pub-date',
	'sailthru.date',
	'dc.date.issued',
	'dcterms.issued',
	'dcterms.created',
	'dc.date.created',
	'dc.date',
	'dcterms.date',
	'citation_publication_date',
	'citation_date',
	'citation_online_date',
	'pubdate',
	'publishdate',
	'publish-date',
	'publish_date',
	'published',
	'publication_date',
	'ptime',
	'article.published',
	'article:published',
	'published_time',
	'og:published_time',
	'og:pubdate',
	'date',
	'datecreated',
	'created',
	'rnews:datepublished',
	'cxenseparse:recs:publishtime',
	'bt:pubdate',
	'article.created',
	'blogger:pubdate',
	'video:release_date',
	'book:release_date',
	'originalpublicationdate',
	'article_date_original',
	'sort_date',
];
const MODIFIED = [
	'article:modified_time',
	'og:article:modified_time',
	'datemodified',
	'og:updated_time',
	'dcterms.modified',
	'dc.date.modified',
	'last-modified',
	'lastmod',
	'revised',
	'article:updated',
	'modified',
	'updated_time',
	'parsely-modified-date',
];

export interface Dates {
	readonly published?: string;
	readonly modified?: string;
}

/** When the page was published and last changed, as precisely as it says: linked data, meta, microdata, what is shown. */
export function datesOf(found: Collected, data: JsonLd, item: Item | undefined, language: string, url: string): Dates {
	const read = (value: string | undefined): string | undefined => parseDate(value, language);
	const published =
		fromItems(data, item, ['datePublished', 'dateCreated', 'uploadDate'], read) ??
		fromMetas(found, PUBLISHED, read) ??
		fromProperties(found, ['datepublished', 'datecreated'], read) ??
		fromTimes(found, read) ??
		fromText(found, read) ??
		fromUrl(url);
	const modified =
		fromItems(data, item, ['dateModified'], read) ??
		fromMetas(found, MODIFIED, read) ??
		fromProperties(found, ['datemodified'], read) ??
		fromTimes(found, read, /updat|modif/i);
	return { ...(published !== undefined && { published }), ...(modified !== undefined && { modified }) };
}

type Read = (value: string | undefined) => string | undefined;

function fromItems(data: JsonLd, item: Item | undefined, keys: readonly string[], read: Read): string | undefined {
	const others = data.items.filter((other) =>
		typesOf(other).some((type) => /Article|Posting|Page$|Recipe|Video/.test(type)),
	);
	for (const candidate of item === undefined ? others : [item, ...others]) {
		for (const key of keys) {
			const date = read(textOf(data, candidate, key));
			if (date !== undefined) return date;
		}
	}
	return undefined;
}

function fromMetas({ metas }: Collected, keys: readonly string[], read: Read): string | undefined {
	for (const key of keys) {
		for (const value of metas.get(key) ?? []) {
			const date = read(value);
			if (date !== undefined) return date;
		}
	}
	return undefined;
}

function shownValue(element: Element): string {
	const { attributes } = element;
	return attributes.datetime ?? attributes.content ?? attributes.title ?? visibleText(element, 100);
}

function fromProperties({ properties }: Collected, wanted: readonly string[], read: Read): string | undefined {
	for (const { element, names } of properties) {
		if (!names.some((name) => wanted.includes(name)) || isElsewhere(element)) continue;
		const date = read(shownValue(element)) ?? read(visibleText(element, 100));
		if (date !== undefined) return date;
	}
	return undefined;
}

/** `<time>`: one that says it is the date of publication, else the first in the article that is not "updated". */
function fromTimes({ times }: Collected, read: Read, wanted?: RegExp): string | undefined {
	let first: string | undefined;
	for (const element of times.slice(0, 200)) {
		if (isElsewhere(element)) continue;
		const label = `${element.attributes.class ?? ''} ${element.attributes.itemprop ?? ''} ${element.parent?.attributes.class ?? ''}`;
		const updated = /updat|modif/i.test(label) || /updat|modif|revised/i.test(textBefore(element));
		const date = read(element.attributes.datetime) ?? read(visibleText(element, 100));
		if (date === undefined || (wanted !== undefined) !== updated) continue;
		if (
			wanted !== undefined ||
			element.attributes.pubdate !== undefined ||
			/publish|entry-date|dt-published|posted/i.test(label)
		)
			return date;
		first ??= date;
	}
	return first;
}

function textBefore(element: Element): string {
	const siblings = element.parent?.children ?? [];
	const before = siblings[siblings.indexOf(element) - 1];
	return before?.kind === 'text' ? before.data : before?.kind === 'element' ? visibleText(before, 40) : '';
}

/** Elements called dates, and by-lines, whose short text holds one. */
function fromText({ dates, bylines }: Collected, read: Read): string | undefined {
	for (const element of [...dates.slice(0, 80), ...bylines.slice(0, 40)]) {
		if (isElsewhere(element)) continue;
		const text = visibleText(element, 160);
		if (text.length > 160 || /^(?:last\s+)?(?:updated|modified)/i.test(text) || /©|copyright/i.test(text)) continue;
		const date = read(text);
		if (date !== undefined && date.length >= 10) return date;
	}
	return undefined;
}

/** Dates of comments, of related pages, of footers are not this page's. */
function isElsewhere(element: Element): boolean {
	for (let at: Element | null = element, level = 0; at !== null && level < 12; at = at.parent, level++) {
		if (at.tag === 'footer' || at.tag === 'aside' || at.tag === 'nav') return true;
		const label = `${at.attributes.class ?? ''} ${at.attributes.id ?? ''}`;
		if (
			/(?:^|[\s_-])(?:comments?|disqus|respond|related|recommended|recommendations|sidebar|widget|latest|trending|popular|footer|copyright|events?|upcoming)(?=$|[\s_-])/i.test(
				label,
			)
		)
			return at.tag !== 'body' && at.tag !== 'html';
	}
	return false;
}

/** `/2024/05/12/title`. */
function fromUrl(url: string): string | undefined {
	const match = /\/(20\d{2}|19\d{2})[/-](0?[1-9]|1[0-2])[/-](0?[1-9]|[12]\d|3[01])(?=[/_-]|$)/.exec(url);
	return match === null ? undefined : parseDate(`${match[1]}-${match[2]}-${match[3]}`);
}
