import type { Element } from '../dom/node.ts';
import type { Collected } from './collect.ts';
import { type Item, type JsonLd, textOf } from './json-ld.ts';
import { cleanText, comparable } from './text.ts';

/** Separators between the title of a page and the name of its site. */
const separator = /\s+[|–—·•»›:~/\\*-]\s+|\s*[|｜»]\s*|\s+::\s+|\s—|—\s|_(?=[^_\s]+$)/;
/** A name and no title. */
const placeholder = /^[\s|–—·•»:/-]*$/;

/** `identity.title` to the letter: og:title, the first `<h1>`, the title element; empty ones are passed over. */
export function identityTitle({ metas, headings, title }: Collected): string | undefined {
	const graph = metas
		.get('og:title')
		?.map(spaced)
		.find((text) => text !== '');
	return (
		graph ??
		headings.find(({ level }) => level === 1)?.text ??
		(title === undefined || placeholder.test(title) ? undefined : title)
	);
}

const spaced = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * Our best title: what the page calls its subject, without the name of the site, which is only taken off
 * behind a separator. A title that is only the site's name loses against any other. The heading of a home page may be
 * a slogan: it is the title where the head of the page says much the same.
 */
export function bestTitle(
	found: Collected,
	data: JsonLd,
	item: Item | undefined,
	siteName: string | undefined,
	host: string,
	isHome: boolean,
): string | undefined {
	const names = siteNames(siteName, host, found);
	const isName = (text: string): boolean => names.has(comparable(text));
	const strip = (text: string | undefined): string | undefined =>
		text === undefined ? undefined : withoutSite(text, names, found);
	const first = found.headings.filter(({ level }) => level === 1);
	const all = [...new Set(first.map(({ text }) => withoutCount(cleanText(text) ?? text)))];
	const graph = cleanText(found.metas.get('og:title')?.[0]);
	const element = cleanText(found.title);
	const headline = cleanText(textOf(data, item, 'headline'));
	const h1 = isHome ? all.filter((text) => isSaidBy(text, [element, graph])) : all;
	const candidates = [
		...confirmed(h1, [graph, element, headline]),
		...lowerHeadings(found, [graph, element, headline], isName),
		...(all.length === 1 && h1.length === 1 && h1[0]!.length > 3 && h1[0]!.length < maxHeading ? h1 : []),
		strip(headline),
		firstPart(strip(graph)),
		firstPart(strip(cleanText(found.metas.get('twitter:title')?.[0]))),
		firstPart(strip(element)),
		strip(cleanText(found.metas.get('dc.title')?.[0] ?? found.metas.get('citation_title')?.[0])),
		strip(cleanText(textOf(data, item, 'name'))),
		...all,
	].filter((text): text is string => text !== undefined && !placeholder.test(text));
	return candidates.find((text) => !isName(text)) ?? candidates[0];
}

/** Whether others say half of the words of a text too, or nothing. */
function isSaidBy(text: string, others: readonly (string | undefined)[]): boolean {
	const words = wordsOf(text);
	const said = new Set(others.flatMap((other) => wordsOf(other ?? '')));
	return said.size === 0 || 2 * words.filter((word) => said.has(word)).length >= words.length;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** A page of a list is called as the list is. */
function withoutCount(title: string): string {
	return title.replace(/\s*(?:\(page \d+ of \d+\)|[-–|:] page \d+(?: of \d+)?)$/i, '') || title;
}

/** Longer ones are no titles. */
const maxHeading = 400;

/** Behind a stroke stands the site's name or a slogan, when what stands before is more than a word. */
function firstPart(title: string | undefined): string | undefined {
	const first = title?.split(/\s+[|｜]\s+/)[0]?.trim();
	return first !== undefined && /\S\s+\S/.test(first) ? first : title;
}

/** Where the first heading is the site's name, a lower one may be what the head calls the page. */
function lowerHeadings(
	{ headings }: Collected,
	heads: readonly (string | undefined)[],
	isName: (text: string) => boolean,
): string[] {
	const known = new Set(heads.flatMap(partsOf).map(comparable));
	return headings
		.slice(0, 10)
		.filter(
			({ level, text }) =>
				(level === 2 || level === 3) && text.length > 9 && known.has(comparable(text)) && !isName(text),
		)
		.map(({ text }) => text);
}

function partsOf(title: string | undefined): string[] {
	return title === undefined
		? []
		: [title, ...title.split(separator), ...title.split(/:\s+/)].filter((part) => part.trim() !== '');
}

/** First headings that the head of the page knows too. */
function confirmed(h1: readonly string[], heads: readonly (string | undefined)[]): string[] {
	const known = heads.filter((text) => text !== undefined).map(comparable);
	return h1.filter((text) => {
		const name = comparable(text);
		return name.length > 2 && known.some((other) => other.startsWith(name) || other === name);
	});
}

/** A heading that is only a link to the front page. */
function leadsHome({ children }: Element): boolean {
	const [only, ...others] = children.filter((child) => child.kind === 'element' || child.data.trim() !== '');
	if (only?.kind !== 'element' || others.length > 0) return false;
	if (only.tag !== 'a') return leadsHome(only);
	return /^(?:\/|\.|(?:\.?\.\/)+|\.\.|(?:https?:)?\/\/[^/?#]+\/?)$/i.test(only.attributes.href?.trim() ?? '');
}

function siteNames(siteName: string | undefined, host: string, { metas, headings }: Collected): ReadonlySet<string> {
	const labels = host.replace(/^www\./, '').split('.');
	const names = [
		siteName,
		metas.get('application-name')?.[0],
		metas.get('apple-mobile-web-app-title')?.[0],
		metas.get('author')?.[0],
		host,
		labels.join(''),
		labels.slice(-2).join(''),
		labels[0],
		labels.at(-2),
		...headings.filter(({ element, level }) => level === 1 && leadsHome(element)).map(({ text }) => text),
	];
	return new Set(
		names.flatMap((name) => (name === undefined || comparable(name).length < 2 ? [] : [comparable(name)])),
	);
}

/** Takes the site's name off either end, as often as it is there. */
function withoutSite(title: string, names: ReadonlySet<string>, { headings }: Collected): string {
	const parts = title.split(separator);
	if (parts.length === 1) return title;
	const isName = (text: string): boolean => {
		const name = comparable(text);
		return (
			names.has(name) ||
			(name.length > 3 &&
				[...names].some(
					(other) =>
						other.length > 3 &&
						(other.startsWith(name) || name.startsWith(other)) &&
						Math.abs(other.length - name.length) < 10,
				))
		);
	};
	const first = parts[0]!.trim();
	const last = parts.at(-1)!.trim();
	if (last !== '' && isName(last))
		return withoutSite(title.slice(0, title.lastIndexOf(last)).replace(trailing, ''), names, { headings } as Collected);
	if (first !== '' && isName(first)) return title.slice(title.indexOf(first) + first.length).replace(leading, '');
	// Unknown names: a heading that is the first part settles it.
	const name = comparable(first);
	return name.length > 5 && headings.some(({ text }) => comparable(text) === name) ? first : title;
}

const trailing = /[\s|｜–—·•»›:~/\\*_-]+$/;
const leading = /^[\s|｜–—·•»›:~/\\*_-]+/;
