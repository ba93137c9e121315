import { aroundBit, isInFurniture } from './around.ts';
import type { Block, Box, Segments } from './blocks.ts';
import type { Facts } from './facts.ts';
import { kindBit } from './hints.ts';
import { isRunningText, within } from './sums.ts';
import { rankOf } from './title-block.ts';
import { flatWords } from './words.ts';

/** Facts about the kind of page. */
export interface PageKind {
	/** Replies are content. */
	readonly isThread: boolean;
	/** Code and data are content. */
	readonly isDocumentation: boolean;
	/** The page declares itself one article, or shows one product. */
	readonly isDeclaredArticle: boolean;
	readonly isProduct: boolean;
	/** Its entries are the content. */
	readonly isList: boolean;
	readonly isHome: boolean;
}

/** The blocks that belong to something other than the content of the page, regardless of their text. */
export function findOthers(segments: Segments, facts: Facts, kind: PageKind): boolean[] {
	const { blocks, boxes } = segments;
	const series = seriesOf(boxes);
	const others: boolean[] = new Array(blocks.length).fill(false);
	const drop = (start: number, end: number): void => {
		others.fill(true, start, end);
	};
	if (!kind.isDocumentation) dropData(segments, drop);
	dropControls(segments, kind, drop);
	if (!kind.isList && !kind.isHome && !kind.isThread) dropLinkLists(segments, series, drop);
	if (kind.isDeclaredArticle || kind.isProduct) dropLinkedSeries(segments, series, facts, kind, drop);
	if (!kind.isThread && !kind.isList) dropReplies(segments, series, drop);
	if (!kind.isList && !kind.isDocumentation) dropAppeals(segments, drop);
	if (!kind.isHome && !kind.isThread && !kind.isDocumentation) dropOtherArticles(segments, facts, drop);
	return others;
}

type Drop = (start: number, end: number) => void;

// --- data for scripts -------------------------------------------------------------------------------------------

const JSON_TEXT = /^\s*(?:\{\s*"[^"]*"\s*:|\[\s*[{[])[\s\S]*[\]}]\s*$/;
const KEY = /^[a-z][a-z\d]*(?:_\w+)+\s*:?$/i;
const VALUE = /^(?:https?:\/\/\S+|\S+_\S+|\S*)$/;
/** Fewer keys than this may be words that the page explains. */
const FEWEST_KEYS = 3;

/** JSON as text, and keys with underscores next to their values. */
function dropData({ blocks }: Segments, drop: Drop): void {
	const keys: number[] = [];
	for (const [i, block] of blocks.entries()) {
		const { text } = block;
		const isData = text.includes('":') && JSON_TEXT.test(text);
		if (!isData && !(text.includes('_') && KEY.test(text))) continue;
		if (isInCode(block)) continue;
		if (isData) drop(i, i + 1);
		else keys.push(i);
	}
	if (keys.length < FEWEST_KEYS) return;
	for (const key of keys) {
		const value = blocks[key + 1];
		drop(key, value !== undefined && !KEY.test(value.text) && VALUE.test(value.text) ? key + 2 : key + 1);
	}
}

function isInCode({ box, texts }: Block): boolean {
	if (box.element.tag === 'pre') return true;
	return texts.every(({ parent }) => parent !== null && /^(?:code|kbd|samp|tt)$/.test(parent.tag));
}

// --- buttons and filters ----------------------------------------------------------------------------------------

const MOST_LABEL = 6;
const MOST_FILTER = 60;
/** A text that this many blocks repeat word for word, and that only controls have, is a control. */
const FEWEST_CONTROLS = 4;
const FORM = aroundBit('form');

/** Buttons and links that each card repeats, and filter boxes. */
function dropControls({ blocks }: Segments, { isList, isProduct }: PageKind, drop: Drop): void {
	const places = new Map<string, number[]>();
	for (const [i, { text, size, box, linked }] of blocks.entries()) {
		if ((isList || isProduct) && size.words < MOST_FILTER && isFilter(box)) drop(i, i + 1);
		if (size.words > MOST_LABEL) continue;
		if (box.element.tag !== 'button' && linked < 0.8 * size.chars) continue;
		if (/^[\d\s.,:–-]+$/.test(text)) continue;
		const known = places.get(text);
		if (known === undefined) places.set(text, [i]);
		else known.push(i);
	}
	for (const at of places.values()) {
		if (at.length < FEWEST_CONTROLS) continue;
		for (const i of at) drop(i, i + 1);
	}
}

function isFilter({ element, around }: Box): boolean {
	if ((around & FORM) === 0 || element.tag === 'p') return false;
	return element.children.some(
		(child) =>
			child.kind === 'element' &&
			(isChoice(child.tag, child.attributes.type) ||
				child.children.some((inner) => inner.kind === 'element' && isChoice(inner.tag, inner.attributes.type))),
	);
}

const isChoice = (tag: string, type = ''): boolean => tag === 'input' && /^(?:checkbox|radio)$/i.test(type);

// --- series of links to other pages -----------------------------------------------------------------------------

/** This many similar parts that link elsewhere are a rail next to an article or a shelf below a product. */
const FEWEST_HEADLINES = 6;
const FEWEST_PRODUCTS = 4;
const LEADING = 0.75;
/** Word counts of headlines and product names. */
const LEAST_TITLE = 2;
const LEAST_HEADLINE = 4;

/** Rails of headlines next to an article, shelves of products below a product. */
function dropLinkedSeries(
	segments: Segments,
	all: readonly Series[],
	facts: Facts,
	{ isProduct }: PageKind,
	drop: Drop,
): void {
	const { blocks, sums } = segments;
	const title = titlePlace(blocks, facts);
	const fewest = isProduct ? FEWEST_PRODUCTS : FEWEST_HEADLINES;
	const least = isProduct ? LEAST_TITLE : LEAST_HEADLINE;
	for (const { box, series } of all) {
		if (title >= box.start && title < box.end) continue;
		if (series.length < fewest || (isProduct && box.start < title)) continue;
		const leading = series.filter((part) => leadsElsewhere(blocks, part, least));
		if (leading.length < LEADING * series.length || targets(blocks, leading).size < LEADING * leading.length) continue;
		if (!isProduct && within(sums.linked, box) < 0.6 * within(sums.chars, box)) continue;
		if (isProduct && !areCards(segments, series)) continue;
		if (ownProse(segments, box) < (isProduct ? LEAST_PRODUCT : ARTICLE_WORDS)) continue;
		drop(startWithHeading(blocks, box), box.end);
	}
}

/** Words of running text outside a part. */
const ownProse = ({ sums }: Segments, box: Box): number => sums.prose.at(-1)! - within(sums.prose, box);

/** Short parts, most of which show a price. */
function areCards({ blocks, sums }: Segments, series: readonly Box[]): boolean {
	if (series.some((part) => within(sums.words, part) > MOST_CARD)) return false;
	const end = series.at(-1)!.parent?.end ?? series.at(-1)!.end;
	let prices = 0;
	for (let i = series[0]!.start; i < end; i++) if (PRICE.test(blocks[i]!.text)) prices++;
	return prices >= 0.6 * series.length;
}

const PRICE =
	/(?:[$€£¥₹₽₩]|\b(?:USD|EUR|GBP|CHF|PLN|SEK|Kč|kr|zł|лв)\b\.?)\s?\d|\d\s?(?:[$€£¥₹₽₩]|\b(?:USD|EUR|GBP|CHF|PLN|SEK|Kč|kr|zł|лв)\b)/;

/** The most words of a card, and the least of a product description. */
const MOST_CARD = 60;
const LEAST_PRODUCT = 30;

/** Labels of parts with other texts, in addition to those in headings. */
const LABEL =
	/^(?:(?:related|other|more|top|latest|popular|recent|further) (?:links?|stor(?:y|ies)|news|articles?|headlines?|posts?|pages?)|see also|elsewhere|latest|headlines|weitere (?:artikel|meldungen)|mehr zum thema|autres articles|otras noticias)\s*:?$/i;
const TABLE = aroundBit('table');

/** In layout tables: lists of headlines, and texts labelled as other articles. */
function dropLinkLists(segments: Segments, all: readonly Series[], drop: Drop): void {
	const { blocks, sums } = segments;
	if (sums.prose.at(-1)! < OWN_PROSE) return;
	for (let i = 0; i < blocks.length; i++) {
		if ((blocks[i]!.box.around & TABLE) === 0 || !LABEL.test(blocks[i]!.text) || !isInLayout(segments, blocks[i]!.box))
			continue;
		let end = i + 1;
		while (end < blocks.length && blocks[end]!.linked > 0.8 * blocks[end]!.size.chars) end++;
		if (end > i + 1) drop(i, end);
		else if (blocks[i + 1] !== undefined && LABEL.test(blocks[i + 1]!.text)) drop(i, i + 1);
	}
	for (const { box, series } of all) {
		if ((box.around & TABLE) === 0 || series.length < FEWEST_IN_TABLE || !isInLayout(segments, box)) continue;
		const leading = series.filter((part) => isHeadline(blocks, part));
		if (leading.length < FEWEST_IN_TABLE || leading.length < 0.45 * series.length) continue;
		// Text below each headline is the beginning of that article.
		drop(startOfLabel(blocks, series[0]!.start), series.at(-1)!.end);
	}
}

/** Whether the outermost table around a part has running text next to it. */
function isInLayout({ sums }: Segments, box: Box): boolean {
	let table: Box | undefined;
	for (let up: Box | null = box; up !== null; up = up.parent) if (up.element.tag === 'table') table = up;
	return table !== undefined && within(sums.prose, table) - within(sums.prose, box) >= OWN_PROSE;
}

const FEWEST_IN_TABLE = 4;
const OWN_PROSE = 80;

const isHeadline = (blocks: readonly Block[], { start, end }: Box): boolean => {
	const first = blocks[start]!;
	return (
		end - start < 4 &&
		first.size.words >= LEAST_HEADLINE &&
		first.linked > 0.8 * first.size.chars &&
		linkOf(first) !== undefined
	);
};

const startOfLabel = (blocks: readonly Block[], start: number): number =>
	start > 0 && LABEL.test(blocks[start - 1]!.text) ? start - 1 : start;

/** A box and those of its children that share a tag and class. */
interface Series {
	readonly box: Box;
	readonly series: readonly Box[];
}

/** The fewest siblings of a series. */
const FEWEST = 3;

function seriesOf(boxes: readonly Box[]): Series[] {
	const all: Series[] = [];
	for (const box of boxes) {
		if (box.children.length < FEWEST || box.end - box.start < FEWEST) continue;
		const series = largestSeries(box.children);
		if (series.length >= FEWEST) all.push({ box, series });
	}
	return all;
}

/** Counts of looks, for one parent at a time. */
const counts = new Map<number, number>();

/** Siblings with the most common tag and class. */
function largestSeries(brothers: readonly Box[]): readonly Box[] {
	counts.clear();
	let most = 0;
	let look = -1;
	for (const box of brothers) {
		if (box.end === box.start) continue;
		const count = (counts.get(box.look) ?? 0) + 1;
		counts.set(box.look, count);
		if (count <= most) continue;
		most = count;
		look = box.look;
	}
	if (most < FEWEST) return NONE;
	return most === brothers.length ? brothers : brothers.filter((box) => box.look === look && box.end > box.start);
}

const NONE: readonly Box[] = [];

/** A part has a block that is little more than a link to another page, with the words of a title. */
function leadsElsewhere(blocks: readonly Block[], { start, end }: Box, least: number): boolean {
	for (let i = start; i < end; i++) {
		const { linked, size } = blocks[i]!;
		if (size.words >= least && linked >= 0.6 * size.chars && linkOf(blocks[i]!) !== undefined) return true;
	}
	return false;
}

function targets(blocks: readonly Block[], parts: readonly Box[]): Set<string> {
	const found = new Set<string>();
	for (const { start, end } of parts) {
		for (let i = start; i < end; i++) {
			const href = linkOf(blocks[i]!);
			if (href !== undefined) found.add(href);
		}
	}
	return found;
}

/** The address that a block links to, if it is another page. */
function linkOf({ texts }: Block): string | undefined {
	for (const text of texts) {
		for (let up = text.parent, level = 0; up !== null && level < 5; up = up.parent, level++) {
			const { href } = up.attributes;
			if (up.tag === 'a' && href !== undefined && !/^\s*(?:#|javascript:|mailto:|tel:|$)/i.test(href)) return href;
		}
	}
	return undefined;
}

/** The start of a part, including the heading directly before it. */
function startWithHeading(blocks: readonly Block[], { start, parent }: Box): number {
	const before = blocks[start - 1];
	if (before === undefined || before.size.words > MOST_HEADING) return start;
	return rankOf(before) > 1 && before.box.parent === parent ? start - 1 : start;
}

const MOST_HEADING = 8;

function titlePlace(blocks: readonly Block[], { titles }: Facts): number {
	const wanted = titles.map((title) => flatWords(title).join(' '));
	const isTitle = ({ text }: Block): boolean => wanted.some((title) => isAbout(title, flatWords(text).join(' ')));
	const exact = blocks.findIndex((block) => rankOf(block) > 0 && isTitle(block));
	return exact >= 0 ? exact : blocks.findIndex((block) => rankOf(block) === 1);
}

/** Two names of one text: one begins or ends with the other. */
function isAbout(title: string, text: string): boolean {
	if (title === text) return text !== '';
	if (text.length < 8 || title.length < 8) return false;
	return title.startsWith(text) || title.endsWith(text) || text.startsWith(title) || text.endsWith(title);
}

// --- replies of readers -----------------------------------------------------------------------------------------

const FEWEST_REPLIES = 3;
/** Words of an article before reader replies. */
const ARTICLE_WORDS = 60;
const MOST_STAMP = 14;
const MOST_REPLY = 3;
const AGO =
	/\b\d+\s*(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|months?|y|yrs?|years?)\.?\s+ago\b|\bvor \d+ (?:sekunden?|minuten?|stunden?|tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?)\b|\bil y a \d+|\bhace \d+|\bhá \d+|\b\d+\s*(?:minut|uur|dagen|weken|timer|dager|dagar) (?:geleden|siden|sedan)|\b\d+ \p{L}+ (?:fa|temu|назад)(?!\p{L})|\d+\s*(?:秒|分|分钟|小时|時間|天|日|周|个月|年)前|\d+\s*(?:초|분|시간|일|주|달|년) 전/iu;
const REPLY =
	/^(?:↩\s*)?(?:reply|respond|antworten|répondre|responder|rispondi|reageren|beantwoorden|svara|svar|odpowiedz|ответить|回复|回覆|返信|답글|رد)(?:\s*\(\d+\))?$/iu;
const SAID = /\b(?:said|says|wrote|schrieb|sagt|a écrit|dit|dijo|escribió|ha scritto|написал)\b.{0,4}:?$/iu;
const VOTES = /^[▲▼↑↓+-]?\s*\d+\s*(?:points?|votes?|likes?|upvotes?)\b/i;

/** A series of texts, each with a name and a time or a reply control, after running text. */
function dropReplies({ blocks, sums }: Segments, all: readonly Series[], drop: Drop): void {
	for (const { series } of all) {
		const first = series[0]!.start;
		if (sums.prose[first]! < ARTICLE_WORDS || rankOf(blocks[first]!) === 1) continue;
		const replies = series.filter((part) => isReply(blocks, part));
		if (replies.length < 0.7 * series.length || replies.length < FEWEST_REPLIES) continue;
		drop(startOfReplies(blocks, first), series.at(-1)!.end);
	}
}

/** A heading and a count before the first reply belong to the replies. */
function startOfReplies(blocks: readonly Block[], first: number): number {
	let start = first;
	while (start > 0 && start > first - 2 && blocks[start - 1]!.size.words <= 6 && !isRunningText(blocks[start - 1]!))
		start--;
	return start;
}

function isReply(blocks: readonly Block[], { start, end }: Box): boolean {
	let stamps = 0;
	let words = 0;
	for (let i = start; i < end && i < start + 40; i++) {
		const { text, size } = blocks[i]!;
		if (size.words > MOST_STAMP) words += size.words;
		else if (size.words <= MOST_REPLY && REPLY.test(text)) stamps++;
		else if (/\d/.test(text) && (AGO.test(text) || VOTES.test(text) || SAID.test(text))) stamps++;
		else words += size.words;
	}
	return stamps > 0 && words > 0 && end - start > 1;
}

// --- appeals ----------------------------------------------------------------------------------------------------

const MOST_APPEAL = 60;
const APPEAL = new RegExp(
	[
		'\\b(?:support|help (?:us|keep)|fund|back) (?:our|us|independent|quality|this|local)\\b.{0,40}(?:journalism|newsroom|reporting|work|site|project|mission|free)?',
		'\\b(?:donate|make a (?:gift|donation|contribution)|give (?:today|now)|chip in|become a (?:member|supporter|patron|subscriber)|buy (?:us|me) a coffee)\\b',
		'\\b(?:subscribe|sign up|register|join)\\b.{0,40}\\b(?:now|today|newsletters?|free|updates|inbox|for (?:only|just|as little|one|\\$|€|£)|a month|daily|weekly)\\b',
		'\\benjoying this (?:article|story|post)|\\breaders like you\\b|\\byour support\\b|\\bfor as little as\\b',
		'\\bfollow us on\\b|\\b(?:download|get|install) (?:our|the) (?:free )?app\\b|\\bget our (?:free )?newsletter\\b',
		'\\bunterstützen sie (?:uns|unse)|\\bspenden sie|\\b(?:jetzt )?abonnieren\\b|\\bnewsletter (?:abonnieren|bestellen)|\\bunser journalismus',
		'\\bsoutenez[- ]|\\bfaites un don|\\babonnez-vous|\\binscrivez-vous|\\bapóya(?:nos|me)|\\bsuscríbete|\\bhaz(?:te)? (?:una donación|socio)|\\bapoie\\b|\\bassine\\b|\\binscreva-se|\\bsostieni(?:ci)?\\b|\\babbonati|\\biscriviti',
		'\\bsteun ons|\\bdoneer\\b|\\bword (?:lid|abonnee)|поддержите|подпишитесь|订阅|訂閱|捐款|支持我们|購読|寄付|구독|후원',
	].join('|'),
	'iu',
);
/** A stem of each appeal: texts without one are not checked further. */
const APPEAL_STEM =
	/[Ss]upport |[Hh]elp (?:us|keep)|[Ff]und (?:our|us|ind)|[Bb]ack (?:our|us)|[Dd]onat|[Mm]ake a [gdc]|[Gg]ive (?:to|no)|[Cc]hip in|[Bb]ecome a|coffee|[Ss]ubscri|[Ss]ign up|[Rr]egister|[Jj]oin|[Ee]njoying|readers like|as little as|[Ff]ollow us|[Dd]ownload|[Ii]nstall|[Gg]et (?:our|the) |nterst|[Ss]pende|bonnier|[Nn]ewsletter|ournalism|outenez|[Ff]aites un|bonnez|nscri|póya|uscríb|[Hh]az(?:te)? |poie|ssine|ostieni|bbona|[Ss]teun|[Dd]oneer|[Ww]ord (?:lid|abo)|[Пп]оддерж|[Пп]одпиш|订阅|訂閱|捐款|支持|購読|寄付|구독|후원|dvertis|ADVERTIS|ponsored|SPONSORED|nzeige|ANZEIGE|erbung|WERBUNG|ublici|ubblici|dvertentie|eklam|nnons|[Рр]еклама|广告|廣告|広告|광고/;
const PROMO = kindBit('promo');
const ADVERTISEMENT =
	/^(?:advertisement|advertising|sponsored|anzeige|werbung|publicité|publicidad|pubblicità|advertentie|reklama?|annons|реклама|广告|廣告|広告|광고)[:.]?$/iu;
const SELF =
	/\b(?:us|our|your|you|ihnen|uns|unser|ihr\w*|nous|notre|votre|vous|nuestr[oa]|tu|noi|nostr[oa]|ons|onze|euros?|dollars?|pounds?)\b|[$€£]|订阅|購読|구독|支持|подпи|поддерж/iu;

/** Appeals to donate, pay, subscribe, follow or install between the paragraphs, with the box around them. */
function dropAppeals({ blocks, boxes, sums }: Segments, drop: Drop): void {
	const found: boolean[] = blocks.map((block) => isAppeal(block));
	for (const [i, isFound] of found.entries()) if (isFound) drop(i, i + 1);
	for (const box of boxes) {
		const { start, end, element } = box;
		if (end - start < 2 || end - start > 6 || element.tag === 'article' || element.tag === 'main') continue;
		if (within(sums.words, box) > MOST_APPEAL) continue;
		const heading = blocks[start]!;
		const isHeaded = found[start] && (rankOf(heading) > 0 || heading.strong >= 0.8 * heading.size.chars);
		if (isHeaded) drop(start, end);
	}
}

function isAppeal(block: Block): boolean {
	const { text, size, box, links, linked, strong } = block;
	if (size.words > MOST_APPEAL) return false;
	if (size.words <= 2 && ADVERTISEMENT.test(text)) return true;
	const isLoud = links > 0 || rankOf(block) > 1 || strong > 0.8 * size.chars || (box.kinds & PROMO) !== 0;
	// Entries of menus are short links.
	if (!isLoud || (size.words < 5 && linked > 0.9 * size.chars) || !APPEAL_STEM.test(text)) return false;
	return APPEAL.test(text) && SELF.test(text);
}

// --- other articles of an endless page --------------------------------------------------------------------------

const FEWEST_WORDS = 40;
const ENTRY = kindBit('content');

/** Of several whole articles, all but the one that the address or the title of the page names. */
function dropOtherArticles(segments: Segments, facts: Facts, drop: Drop): void {
	const { blocks, boxes } = segments;
	const groups = new Map<Box | null, Box[]>();
	for (const box of boxes) {
		if (!isWholeArticle(segments, box)) continue;
		const group = groups.get(box.parent);
		if (group === undefined) groups.set(box.parent, [box]);
		else group.push(box);
	}
	for (const group of groups.values()) {
		if (group.length < 2) continue;
		const own = group.filter((box) => isOfPage(blocks, box, facts));
		if (own.length !== 1) continue;
		for (const box of group) if (box !== own[0]) drop(box.start, box.end);
	}
}

function isWholeArticle({ blocks, sums }: Segments, box: Box): boolean {
	const { element, names, start, end } = box;
	const isNamed = element.tag === 'article' || (/^(?:section|div)$/.test(element.tag) && (names.kinds & ENTRY) !== 0);
	if (!isNamed || isInFurniture(box) || within(sums.prose, box) < FEWEST_WORDS) return false;
	for (let i = start; i < end && i < start + 5; i++) {
		const rank = rankOf(blocks[i]!);
		if (rank === 1 || (rank === 2 && element.tag === 'article')) return true;
	}
	return false;
}

/** Its heading is the title of the page, or an address in its attributes or its heading is that of the page. */
function isOfPage(blocks: readonly Block[], { element, start, end }: Box, facts: Facts): boolean {
	for (const [name, value] of Object.entries(element.attributes))
		if (name.startsWith('data-') && value.length < 500 && isAddressOf(value, facts)) return true;
	const wanted = facts.titles.map((title) => flatWords(title).join(' '));
	for (let i = start; i < end && i < start + 5; i++) {
		const block = blocks[i]!;
		if (rankOf(block) === 0) continue;
		const href = linkOf(block);
		if (href !== undefined) return isAddressOf(href, facts);
		const text = flatWords(block.text).join(' ');
		return wanted.some((title) => isAbout(title, text));
	}
	return false;
}

function isAddressOf(address: string, { path }: Facts): boolean {
	const own = address
		.replace(/^(?:https?:)?\/\/[^/]+/i, '')
		.replace(/[?#].*$/, '')
		.replace(/\/$/, '')
		.toLowerCase();
	return own !== '' && own.startsWith('/') && own === path.replace(/\/$/, '');
}
