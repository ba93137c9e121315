import type { Element } from '../dom/node.ts';
import { walk } from '../dom/walk.ts';
import { isBlockTag } from '../markdown/block-tags.ts';
import type { Collected } from './collect.ts';
import { type Item, isItem, type JsonLd, typesOf, valuesOf } from './json-ld.ts';
import type { Line, Shown } from './shown.ts';
import { cleanText, comparable } from './text.ts';
import { spaced, visibleText } from './visible-text.ts';

/** A by-line is short. */
const maxByline = 120;

const metaNames = [
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
	readonly shown: Shown;
	readonly siteName: string | undefined;
	/** The names that it shows are those of its parts: sellers, reviewers, authors of what is listed. */
	readonly isList: boolean;
	/** The author of the first post, if the page is a thread. */
	readonly starter: string | undefined;
	/** BCP 47; empty where it is not known. */
	readonly language: string;
}

/**
 * Authors of the page, by trust: linked data, meta tags, microdata, by-lines. An organisation, or a
 * name that is only the site's, gives way to a person.
 */
export function authorsOf({
	found,
	data,
	item,
	shown,
	siteName,
	isList,
	starter,
	language,
}: Sources): string[] | undefined {
	const site = comparable(siteName ?? '');
	const isSite = (name: string): boolean =>
		site !== '' && (site.startsWith(comparable(name)) || comparable(name).startsWith(site));
	const declared = [() => fromItems(data, item), () => fromMetas(found)];
	const seen = [
		() => oneName(starter ?? ''),
		() => fromProperties(found, shown),
		() => fromBylines(found, shown),
		() => fromLines(shown),
		() => fromCjkLines(shown, language),
	];
	const sources = isList ? declared : [...declared, ...seen];
	let fallback: string[] | undefined;
	for (const source of sources) {
		const names = distinct(source().flatMap((name) => chineseNames(name, language)));
		const people = names.filter((name) => !isSite(name) && !organisation.test(name));
		if (people.length > 0) return people;
		if (names.length > 0) fallback ??= names;
	}
	return fallback;
}

/** Words that make a name that of an organisation. */
const organisation =
	/\b(?:team|staff|editors?|editorial|inc|llc|ltd|gmbh|association|foundation|institute|university|magazine|media|news|company|corp|group|agency|department|ministry|society|council|admin)\b\.?$/i;

/** Roles between the names of a Chinese by-line, and those whose names are not of authors. */
const chineseRole =
	/^(?:本报|特约|实习|见习|特派|驻地)?(?:记者|記者|通讯员|通訊員|作者|实习生|撰稿人?)[:：]?$|^(?:综合)?(?:报道|報道|报导|報導|摄影|攝影|摄|文|图|图文|供稿|整理|编译|發自|发自)$/u;
const noAuthor = /^(?:责任)?(?:编辑|編輯|责编|校对|摄影|攝影|图|来源|來源|审核|监制)[:：]?/u;

/** Blanks part names in Chinese: `李明 王芳` are two people, and `李　明` is one, spaced to the width of others. */
function chineseNames(text: string, language: string): string[] {
	const words = text.split(/\s+/);
	if (words.length < 2 || !/^zh\b/i.test(language) || !words.every((word) => /^[\p{Script=Han}·:：]+$/u.test(word)))
		return [text];
	const end = words.findIndex((word) => noAuthor.test(word));
	const names = words.slice(0, end < 0 ? undefined : end).filter((word) => !chineseRole.test(word));
	return names.every((name) => [...name].length === 1)
		? [names.join('')]
		: names.filter((name) => [...name].length > 1);
}

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
	for (const key of metaNames) {
		const catalogued = /^(?:dc|dcterms|citation)[._]/.test(key);
		const names = (metas.get(key) ?? []).flatMap((value) => (catalogued ? cataloguedName(value) : cleanName(value)));
		if (names.length > 0) return names;
	}
	return (metas.get('twitter:label1')?.[0] ?? '').match(/written by|author/i)
		? cleanName(metas.get('twitter:data1')?.[0] ?? '')
		: [];
}

/** A place, "Brooklyn, NY", is no name. */
function oneName(text: string): string[] {
	const names = cleanName(text, true);
	return names.length === 1 ? names : [];
}

/** Catalogues put the surname first: `Holm, Ole`. */
function cataloguedName(value: string): string[] {
	const [surname, name, ...more] = value.split(/\s*,\s*/);
	return name !== undefined && more.length === 0 && !/\s.*\s/.test(surname!)
		? cleanName(`${name} ${surname}`)
		: cleanName(value);
}

function fromProperties({ properties }: Collected, shown: Shown): string[] {
	for (const { element } of properties.filter(({ names }) => names.includes('author')).slice(0, 20)) {
		if (shown.isElsewhere(element)) continue;
		const inner = properties.find((other) => other.names.includes('name') && isWithin(other.element, element));
		const people = cleanName(element.attributes.content ?? visibleText(inner?.element ?? linkIn(element), maxByline));
		if (people.length > 0) return people;
	}
	return [];
}

/** An author element may contain more than the name: a link at its beginning is the name. */
function linkIn(element: Element): Element {
	const first = element.children.find((child) => child.kind === 'element' || child.data.trim() !== '');
	return first?.kind === 'element' && first.tag === 'a' && visibleText(first, maxByline) !== '' ? first : element;
}

function fromBylines({ bylines }: Collected, shown: Shown): string[] {
	let best: string[] = [];
	let highest = 0;
	for (const element of bylines.slice(0, 60)) {
		// Themes name what they show in the classes of the body: `single-author`, `author-hidden`.
		if (element.tag === 'body' || shown.isElsewhere(element)) continue;
		const text = bylineText(element);
		if (text === '' || text.length > maxByline || contactLabel.test(text)) continue;
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

/** Cards with contact data have the classes of authors, too. */
const contactLabel = /^(?:phone|telephone|tel|fax|e-?mail|address|contact)\b\.?\s*[:：|\d(+]/i;

/** Separates name and role by their elements: `Ada BrandtEditor`. */
function bylineText(element: Element): string {
	let text = '';
	walk(element, (node) => {
		if (text.length > maxByline) return false;
		if (node.kind === 'element') {
			if (skipped.test(node.tag)) return false;
			if (node.tag === 'br' || isBlockTag(node.tag)) text += ' ';
			return true;
		}
		const isGlued = /\p{Ll}$/u.test(text) && /^\p{Lu}/u.test(node.data);
		text += isGlued ? `${leadOnly.test(text.trim()) ? ' ' : ' | '}${node.data}` : node.data;
		return true;
	});
	return spaced(text);
}

const skipped = /^(?:script|style|svg|template)$/;
/** A whole text that only introduces a name: the name comes next. */
const leadOnly = /^(?:(?:written|posted|published) )?(?:by|von|par|por|di|av|af|door)$/i;

/** The words before the name of an author, in several languages. */
const by =
	/^(?:(?:written|posted|published|words|story|text|article|authored)\s+)?(?:(?:by|von|par|por|di|door|author|autor)\b[\s:：]*|(?:автор|מאת|بقلم)(?:\s*[:：]\s*|\s+|$)|(?:作者|著者|撰文|記者|记者|文)\s*(?:[:：/／]\s*|$))/iu;

/** A short line near the heading that begins with "by", or stands behind one that says only that. */
function fromLines(shown: Shown): string[] {
	const lines = shown.near();
	for (const [i, { text, element }] of lines.entries()) {
		const lead = by.exec(text)?.[0];
		if (lead === undefined || text.length > maxByline || shown.isElsewhere(element)) continue;
		const rest = lead.length === text.length ? textFrom(lines, i + 1, shown) : text;
		const names = rest.length > 80 ? [] : cleanName(rest, true);
		if (names.length > 0) return names;
	}
	return [];
}

/** "作者：林海生", "记者 林海生", also behind a date. The source of a text, 来源, is not its author. */
const cjkBy =
	/(?:^|[\s\p{P}\d日])(?:(?:作者|撰文|撰稿(?:人)?|著者|執筆(?:者)?|ライター|取材|記者|记者|本报记者|特约记者)\s*(?:[:：/／]\s*|\s+)|文(?:\/图)?\s*[:：/／]\s*)([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}·・、，,\s]{2,40})/u;
/** "김민준 기자", also with two names. */
const koreanBy =
	/(?:^|[\s|/=·(])((?:[가-힣]{2,4}\s*[·,]\s*)*[가-힣]{2,4})\s*(?:기자|특파원|논설위원|칼럼니스트)(?=$|[\s|·,/)=])/u;
const maxCjkLine = 80;

function fromCjkLines(shown: Shown, language: string): string[] {
	for (const { text, element } of shown.near()) {
		if (text.length > maxCjkLine || shown.isElsewhere(element)) continue;
		const list = cjkBy.exec(text)?.[1] ?? koreanBy.exec(text)?.[1];
		const names = (list?.trim().split(/\s*[、，,·]\s*/) ?? []).flatMap((name) => chineseNames(name, language));
		// In Japanese a blank is between the surname and the name.
		const isWhole = names.every((name) => /^[\p{L}・]{1,10}(?:\s[\p{L}・]{1,6})?$/u.test(name) && name.length > 1);
		if (names.length > 0 && names.length < 6 && isWhole) return names;
	}
	return [];
}

/** The first line of the page itself, at or behind a place. */
function textFrom(lines: readonly Line[], start: number, shown: Shown): string {
	for (let at = start; at < lines.length; at++) if (!shown.isElsewhere(lines[at]!.element)) return lines[at]!.text;
	return '';
}

function isWithin(element: Element, outer: Element): boolean {
	for (let at = element.parent; at !== null; at = at.parent) if (at === outer) return true;
	return false;
}

/** The words before a name or date that say what it is for. */
const leadPattern =
	/^(?:(?:last )?(?:written|post(?:ed)?|published|reviewed|updated|created|edited|story|words|text|article|guest post|contributed|submitted|authored)(?:\s+(?:and|&)\s+(?:reviewed|updated|edited|photographed))?\s+)?(?:by|von|par|por|di|av|af|door|autor(?:in)?|auteur|author|автор)(?:\s*[:：]\s*|\s+)|^(?:מאת|بقلم)(?:\s*[:：]\s*|\s+)|^(?:作者|著者|撰文|記者|记者|文)(?:\s*[:：/／]\s*|\s+)|^about the author:?\s+/i;
/** Text after a name in a by-line. */
const tail =
	/(?:,\s*|\s+)(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?\s+\d.*$|,?\s+(?:mon|tues|wednes|thurs|fri|satur|sun)day\b.*$|\s*(?:[|•·–—»／]|\s(?:发布|發布|时间|時間|日期|来源|來源|更新|公開|投稿)|\bon\b|\bin\b|,?\s+(?:updated|published|posted|last|am|le|el)\b|(?:,\s*|\s+)\d|,\s+(?:senior|staff|editor|contributor|contributing|writer|founder|ceo|cto|director|managing|head|chief|associate|freelance|product|marketing|content|the)\b|\(|[|@]|\s-\s).*$/isu;
/** Texts in the place of an author that are no name. */
const notAName =
	/^(?:the (?:author|editor|writer|team|staff|editors|authors)|our (?:team|staff)|about(?: us)?|log ?in|sign (?:in|up|out)|subscribe|menu|close|comments?|reply|last|first|admin(?:istrator)?|editor(?:ial)?|staff|author|authors|about the author|(?:visit|view|see|follow|read|meet) .*|unknown|anonymous|guest|user|root|null|undefined|none|n\/a|by|posts?|view all posts|read more|share|follow|contributors?|superuser|webmaster|human|(?:mon|tue|tues|wed|wednes|thu|thurs|fri|sat|satur|sun)(?:day)?|(?:written|posted|published|updated|reviewed)(?: (?:by|on))?|[^\p{L}]*)$/iu;

/** Names in a text: "By" and what follows a name taken off, lists parted. Addresses are no names. */
function cleanName(source: string, isByline = false): string[] {
	let text = cleanText(source)?.replace(leadPattern, '') ?? '';
	if (/^(?:https?:)?\/\/|^www\./i.test(text) || text.length > 200) return [];
	if (isByline && event.test(text)) return [];
	text = text.replace(/\s*<?[\w.+-]+@[\w-]+\.[\w.]+>?/g, '').replace(/^@/, '');
	if (isByline) {
		text = text.replace(tail, '');
		if (text.length > 60 || /[.!?]\s/.test(text.replace(/\b(?:Dr|Mr|Mrs|Ms|Prof|Jr|Sr|St|Ph|[A-Z])\./g, ''))) return [];
	}
	return text
		.split(/\s*(?:;|\||\s+&\s+|\s+and\s+|、|，)\s*/)
		.flatMap((part) => (suffix.test(part) ? [part] : part.split(/\s*,\s*/)))
		.flatMap(joinedNames)
		.map((name) =>
			name
				.replace(leadPattern, '')
				.replace(koreanRole, '')
				.replace(/^[\s,.:–—«»-]+|[\s,:*–—«»-]+$/g, ''),
		)
		.filter(
			(name) =>
				name.length > 1 &&
				name.length < 100 &&
				/\p{L}/u.test(name) &&
				!notAName.test(name) &&
				!(isByline && hasDate.test(name)),
		);
}

/** Words that join two people, and of these those that join the two surnames of one person too. */
const joinerPattern = /^(?:y|e|i|en|och|og|ja|ve|и|та|und|et)$/;
const compound = /^(?:y|e|i|en|och|og|ja|ve|и|та)$/;
/** A name, with its particles: `Ana de la Cruz`, `J. R. Martín`. */
const partOfName =
	/^(?:\p{Lu}[\p{L}\p{M}'’.-]*|d['’]\p{Lu}[\p{L}'’-]*|de|del|della|di|da|do|dos|das|du|des|la|las|los|le|von|van|vom|zu|zur|der|den|ten|ter|bin|al|el)$/u;
/** Editorial desks and news agencies. */
const ofADesk =
	/^(?:redaktion(?:en)?|redaktionsteam|agentur(?:en)?|redacci[oó]n|redazione|reda[cç][aã]o|r[ée]daction|agenc(?:ias|es?|ia)|agenzie?|ag[êe]ncias?|dpa|afp|efe|ansa|lusa|reuters|ap|team|equipo|equipe|équipe)$/iu;

/** `Ana López y Juan Ruiz` are two people; `Ortega y Gasset` is one, and `Redaktion und Agenturen` is not people. */
function joinedNames(text: string): string[] {
	const words = text.replace(leadPattern, '').split(/\s+/);
	const isCapitals = text === text.toUpperCase();
	const joiners = words
		.map((word) => (isCapitals ? word.toLowerCase() : word))
		.map((word) => joinerPattern.test(word) && word);
	const names: string[][] = [[]];
	for (let at = 0; at < words.length; at++) {
		const joiner = joiners[at];
		const before = names.at(-1) ?? [];
		const next = joiners.findIndex((other, index) => index > at && other !== false);
		const after = words.slice(at + 1, next === -1 ? undefined : next);
		if (joiner && isName(before) && isName(after) && !(compound.test(joiner) && isSurname(after))) names.push([]);
		else before.push(words[at] ?? '');
	}
	return names.length === 1 ? [text] : names.map((name) => name.join(' '));
}

const isName = (words: readonly string[]): boolean =>
	words.length > 0 &&
	words.every((word, at) => partOfName.test(word) || (at > 0 && compound.test(word))) &&
	!ofADesk.test(words.join(' '));

/** A single word, with its particles. */
const isSurname = (words: readonly string[]): boolean => words.filter((word) => /^\p{Lu}/u.test(word)).length < 2;

/** Actions on the text, not authors. */
const event =
	/^(?:(?:last|first|originally)\s+)?(?:written|posted|published|reviewed|updated|created|edited|modified|released|added|submitted|printed)\b(?!\s+by\b)(?:\s+(?:on|at|in)\b|\s*[:\d]|\s+\p{L}+\s+\d|\s*$)|^(?:veröffentlicht|aktualisiert|erstellt|publié|mis à jour|publicado|actualizado|pubblicato|aggiornato|gepubliceerd|bijgewerkt|опубликовано|обновлено)(?![\p{L}])/iu;

/** A month with a day or on its own; "April Marsh" is a name. */
const hasDate =
	/(?:^|\s)\d|\d{4}|^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?$|\b(?:january|february|march|april|june|july|august|september|october|november|december)\s+\d|\b(?:minutes?|min read)\b/i;

/** The role after a Korean name. */
const koreanRole = /(?<=[가-힣]{2,4})\s+(?:기자|특파원|논설위원|칼럼니스트)$/u;

/** Degrees after a comma belong to the name before it. */
const suffix =
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
