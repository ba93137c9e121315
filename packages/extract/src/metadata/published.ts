import type { Element } from '../dom/node.ts';
import type { Collected } from './collect.ts';
import { parseDate } from './dates.ts';
import { type Item, type JsonLd, textOf, typesOf } from './json-ld.ts';
import { once } from './once.ts';
import { type Line, nearestFirst, type Shown } from './shown.ts';
import { visibleText } from './visible-text.ts';

const publishedNames =
	'article:published_time og:article:published_time datepublished parsely-pub-date sailthru.date dc.date.issued dcterms.issued dcterms.created dc.date.created dc.date dcterms.date citation_publication_date citation_date citation_online_date uploaddate pubdate publishdate publish-date publish_date published publication_date publication-date ptime article.published article:published published_time og:published_time og:pubdate date datecreated created rnews:datepublished cxenseparse:recs:publishtime bt:pubdate article.created blogger:pubdate video:release_date book:release_date originalpublicationdate article_date_original sort_date ms.date'.split(
		' ',
	);
const modifiedNames =
	'article:modified_time og:article:modified_time datemodified og:updated_time dcterms.modified dc.date.modified last-modified lastmod revised article:updated modified updated_time parsely-modified-date updated_at'.split(
		' ',
	);

export interface Dates {
	readonly published?: string;
	readonly modified?: string;
}

interface Sources {
	readonly found: Collected;
	readonly data: JsonLd;
	readonly item: Item | undefined;
	readonly shown: Shown;
	readonly language: string;
	readonly url: string;
	/** The dates that it shows are those of its parts. */
	readonly isList: boolean;
	/** The dates on the page belong to its posts. */
	readonly isThread: boolean;
}

type Read = (value: string | undefined) => string | undefined;

/**
 * When the page was published and last changed, as precisely as it says: linked data, meta tags, microdata,
 * `<time>`, what it shows near its heading, its address, the state that scripts start from. A page that only states
 * its last change was published in this form then.
 */
export function datesOf({ found, data, item, shown, language, url, isList, isThread }: Sources): Dates {
	const read: Read = (value) => parseDate(value, language);
	const labels = once(() => labelsOf(found));
	const short = once(() => shown.all().filter(({ text }) => text.length < 60 && mayBeDate.test(text)));
	const shownDate = (): string | undefined =>
		fromProperties(found, shown, ['datepublished', 'datecreated', 'uploaddate'], read) ??
		fromTimes(found, shown, read, false) ??
		fromLines(shown.near(), shown, read, false) ??
		fromLabels(labels(), shown, read, false) ??
		fromUrl(url) ??
		fromState(found) ??
		fromLines(
			short().filter(({ text }) => publicationPattern.test(text)),
			shown,
			read,
			false,
		) ??
		modified ??
		fromLines(shown.near(), shown, read, true) ??
		fromLabels(labels(), shown, read, true) ??
		fromLines(short(), shown, read, true);
	// Near its heading a list says when it was made, and calls it so.
	const listDate = (): string | undefined => {
		const said = shown.near().filter(({ text }) => publicationPattern.test(text) || updatedPattern.test(text));
		return fromLines(said, shown, read, false) ?? fromLines(said, shown, read, true);
	};
	const modified =
		fromItems(data, item, ['dateModified'], read) ??
		fromMetas(found, modifiedNames, read) ??
		(isList
			? undefined
			: (fromProperties(found, shown, ['datemodified'], read) ?? fromTimes(found, shown, read, true)));
	const declared =
		fromItems(data, item, ['datePublished', 'dateCreated', 'uploadDate'], read) ??
		fromMetas(found, publishedNames, read);
	const published =
		declared === undefined
			? isList
				? (modified ?? listDate())
				: shownDate()
			: isList || isThread
				? declared
				: (asShown(declared, found, shown, read) ?? declared);
	return { ...(published !== undefined && { published }), ...(modified !== undefined && { modified }) };
}

const dayMs = 86_400_000;

/**
 * A UTC instant in the form that the page shows: with the page's offset if it gives the same instant, or the day shown,
 * which may be the day before or after.
 */
function asShown(published: string, { times }: Collected, shown: Shown, read: Read): string | undefined {
	if (!/T.*Z$/.test(published)) return undefined;
	const instant = Date.parse(published);
	for (const { attributes } of times.slice(0, 20)) {
		const local = read(attributes.datetime);
		if (local !== undefined && /[+-]\d\d:\d\d$/.test(local) && Date.parse(local) === instant) return local;
	}
	const day = fromLines(shown.near(), shown, read, false)?.slice(0, 10);
	if (day === undefined || day.length < 10) return undefined;
	return Math.abs(Date.parse(day) - Date.parse(published.slice(0, 10))) === dayMs ? day : undefined;
}

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
	const named = keys === publishedNames ? /publish|publication|pub-?date/ : /modif|updat|revis/;
	for (const [key, [value]] of metas) {
		const date = named.test(key) && /date|time|_at$|\bon$/.test(key) ? read(value) : undefined;
		if (date !== undefined) return date;
	}
	return undefined;
}

function fromProperties(
	{ properties }: Collected,
	shown: Shown,
	wanted: readonly string[],
	read: Read,
): string | undefined {
	for (const { element, names } of properties) {
		if (!names.some((name) => wanted.includes(name)) || shown.isDateElsewhere(element)) continue;
		const { datetime, content, title } = element.attributes;
		const date = read(datetime) ?? read(content) ?? read(title) ?? read(visibleText(element, 100));
		if (date !== undefined) return date;
	}
	return undefined;
}

/** Words before the date of a change, in several languages. */
const updatedPattern =
	/\b(?:updat|modif|revis|edited|reviewed|aktualisiert|mis à jour|actualizad|aggiornat)|更新|修改|修正|обновлен|изменен|עודכן|تحديث/i;

/** `<time>`: one that says it is the date of publication, else the first that is not a change's. */
function fromTimes({ times }: Collected, shown: Shown, read: Read, updated: boolean): string | undefined {
	let first: string | undefined;
	for (const element of times.slice(0, 200)) {
		const { attributes } = element;
		const label = `${attributes.class ?? ''} ${attributes.itemprop ?? ''} ${element.parent?.attributes.class ?? ''}`;
		if (updatedPattern.test(`${label} ${textBefore(element)}`) !== updated || shown.isDateElsewhere(element)) continue;
		const date = read(attributes.datetime ?? attributes.ts) ?? read(visibleText(element, 100));
		if (date === undefined) continue;
		if (attributes.pubdate !== undefined || /publish|entry-date|dt-published|posted/i.test(label)) return date;
		first ??= date;
	}
	return first;
}

function textBefore(element: Element): string {
	const siblings = element.parent?.children ?? [];
	const before = siblings[siblings.indexOf(element) - 1];
	return before?.kind === 'text' ? before.data : before?.kind === 'element' ? visibleText(before, 40) : '';
}

/** Other events before or after a text is published. */
const otherStep = new RegExp(
	`${updatedPattern.source}|\\b(?:received|submitted|accepted|revised|eingereicht|angenommen|reçu|accepté)`,
	'i',
);

/** Words before the date of publication, in several languages. */
const publicationPattern =
	/\b(?:publish|posted|created|written|released|date|veröffentlicht|publié|publicado|pubblicato|gepubliceerd)|发布|發布|公開|投稿|опубликован|פורסם|نشر/i;

/** Four digits, or two with a sign between them. */
const mayBeDate = /\p{Nd}{4}|\p{Nd}[./-]\p{Nd}/u;

/** The nearest short line that holds a whole date; one that says "published" before all others. */
function fromLines(lines: readonly Line[], shown: Shown, read: Read, updated: boolean): string | undefined {
	let nearest: string | undefined;
	for (const { text, element } of nearestFirst(lines.filter(mayHoldDate))) {
		const publication = publicationPattern.exec(text);
		const change = updatedPattern.exec(text);
		if (change !== null && publication === null ? !updated : updated) continue;
		// "Updated May 2, 2024 · Published May 1, 2023", "Received: 2 May / Accepted: 20 June / Published: 27 June 2019"
		const earlier = publication === null ? null : otherStep.exec(text.slice(0, publication.index));
		const part = publication !== null && earlier !== null ? text.slice(publication.index) : text;
		const date = read(part);
		if (date === undefined || date.length < 10 || shown.isDateElsewhere(element)) continue;
		if (publication !== null || updated) return date;
		nearest ??= date;
	}
	return nearest;
}

function mayHoldDate({ text }: Line): boolean {
	return text.length <= 110 && mayBeDate.test(text);
}

interface Label {
	readonly element: Element;
	readonly text: string;
}

/** Elements that are called dates, and by-lines that hold one, anywhere on the page. */
function labelsOf({ dates, bylines }: Collected): Label[] {
	return [...dates.slice(0, 80), ...bylines.slice(0, 40)]
		.map((element) => ({ element, text: `${stampOf(element)}${visibleText(element, 160)}` }))
		.filter(({ text }) => text.length <= 160 && /\p{Nd}/u.test(text) && !/©|copyright/i.test(text));
}

/** A date in an attribute of an element whose text words it differently: "3 years ago". */
function stampOf({ attributes }: Element): string {
	for (const name of ['datetime', 'data-datetime', 'data-date', 'data-timestamp', 'data-time', 'title', 'content']) {
		const value = attributes[name];
		if (value !== undefined && value.length < 60 && parseDate(value) !== undefined) return `${value} `;
	}
	return '';
}

function fromLabels(labels: readonly Label[], shown: Shown, read: Read, updated: boolean): string | undefined {
	for (const { element, text } of labels) {
		if (updatedPattern.test(text) !== updated || shown.isDateElsewhere(element)) continue;
		const date = read(text);
		if (date !== undefined && date.length >= 10) return date;
	}
	return undefined;
}

/** `/2024/05/12/title`. */
function fromUrl(url: string): string | undefined {
	const match = /\/((?:20|19)\d{2})[/-](0?[1-9]|1[0-2])[/-](0?[1-9]|[12]\d|3[01])(?=[/_-]|$)/.exec(url);
	return match === null ? undefined : parseDate(`${match[1]}-${match[2]}-${match[3]}`);
}

/** Dates in the JSON, escaped or not, from which scripts build the page. */
const state =
	/\\?"(?:datePublished|publishedAt|published_at|publishDate|publishedDate|firstPublishedAt|first_published_at|pubDate|createdAt|created_at)\\?"\s*:\s*\\?"(\d{4}-\d{2}-\d{2}[^"\\]{0,20})/;

function fromState({ scripts }: Collected): string | undefined {
	for (const script of scripts) {
		const date = parseDate(state.exec(script)?.[1]);
		if (date !== undefined) return date;
	}
	return undefined;
}
