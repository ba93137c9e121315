import { hashRoute, withoutRoute } from '../addresses/routes.ts';
import { judgeCopy, measuredForm, type SiteKnowledge } from '../addresses/site-knowledge.ts';
import { folderOf, hashOf, looksRandom, partsOf, pathAddress, type UrlPart } from '../addresses/url-parts.ts';
import { aliasOf, outOfScope } from '../discover/discovery.ts';
import type { Signature } from '../documents/page-signature.ts';
import { isKnownHash } from '../model/body-hash.ts';
import type { Ending, Reason } from '../model/outcome.ts';
import { isAlike } from '../read/minhash.ts';
import type { FrontierUrl, NewUrl } from '../store/roles/frontier.ts';
import type { Comparable } from '../store/roles/pages.ts';
import type { CrawlContext } from './crawl-context.ts';
import { coreOf, isListing, nameOf, nameOfCore } from './judge-address.ts';

/** Conclusions from a visit. */
export interface PageStudy {
	/** Names that identify the page when another address of it comes. */
	readonly names: readonly string[];
	readonly found: readonly NewUrl[];
	/** The page is byte-for-byte another one. */
	readonly alias?: Ending;
	/** Reasons whose skipped URLs must be checked again, since one of their kind was different. */
	readonly reopen: readonly Reason[];
}

/** Texts with fewer words are too short to compare. */
const fewestWords = 50;
/** Equal pages with so few words are aliases from this count on. */
const equalEnough = 5;

interface Page {
	readonly from: FrontierUrl;
	readonly url: string;
	readonly signature: Signature;
	readonly found: readonly NewUrl[];
	/** Parts that the canonical address already covers. */
	readonly settled: readonly string[];
}

/** Compares a page with pages whose addresses differ in one part, or that have its text under another path. */
export async function studyPage(page: Page, site: SiteKnowledge, context: CrawlContext): Promise<PageStudy> {
	const { from, url, signature, settled } = page;
	const core = coreOf(url, site);
	const parts = partsOf(url);
	const bare = parts.filter(({ isAddress }) => isAddress).map(({ rest }) => rest);
	const all = [...parts.map(nameOf), ...(core.key !== url || isListing(url) ? [nameOfCore(core)] : [])];
	const others = await context.store.pages.comparable(all, bare);
	const reopen = new Set<Reason>();
	let same = false;
	for (const part of parts) {
		const wasIdle = site.isIdle(part);
		site.see(part);
		const other = settled.includes(part.name) ? undefined : otherOf(part, others, url);
		const verdict = other && compareTexts(signature, other);
		if (verdict === 'same') same = true;
		if (other !== undefined && verdict !== undefined) teach(part, verdict, other, site);
		if (wasIdle && !site.isIdle(part)) reopen.add('alias');
	}
	const copy = copyOf(page, site, context);
	const alias = from.seed ? undefined : await equalPage(page, copy.original, site, context);
	const isFresh = alias === undefined && measure(page, same, site, reopen);
	const links = linksOf(page, copy, site, reopen, isFresh);
	const taken = new Set(others.map(({ key }) => key));
	const names = all.filter((name) => !taken.has(name));
	return { names, found: links, reopen: [...reopen], ...(alias && { alias }) };
}

/** Prefers the page without the part, then the first page with another value. */
function otherOf(part: UrlPart, others: readonly Comparable[], url: string): Comparable | undefined {
	const withText = others.filter((other) => other.url !== url && other.minHash !== undefined);
	return withText.find(({ key }) => key === part.rest) ?? withText.find(({ key }) => key === nameOf(part));
}

export type Verdict = 'same' | 'near' | 'other';

/** Undefined if a text is too short to decide. */
export function compareTexts({ minHash, prose }: Signature, other: Comparable): Verdict | undefined {
	if (minHash === undefined || other.minHash === undefined) return undefined;
	if (prose.words >= fewestWords && prose.hash === other.prose) return 'same';
	return isAlike(minHash, other.minHash) ? 'near' : 'other';
}

function teach(part: UrlPart, verdict: Verdict, other: Comparable, site: SiteKnowledge): void {
	const bare = other.url === part.rest;
	// Pages may show a random value, or the time: then they are nearly the same. So may be the pages of two products.
	const isAlikeEnough = verdict === 'same' || (verdict === 'near' && looksRandom(part.value) && bare);
	const before = partsOf(other.url).find(({ name }) => name === part.name);
	site.compare(part, isAlikeEnough, { bare, ...(before && { other: before.value }) });
}

/** Finds another page of the same host that is equal byte for byte. */
async function equalPage(
	{ url, signature }: Page,
	copied: string | undefined,
	site: SiteKnowledge,
	context: CrawlContext,
): Promise<Ending | undefined> {
	const { twin, bodyHash, prose } = signature;
	const digest = Buffer.from(bodyHash).toString('hex', 0, 8);
	const original = twin?.url ?? copied ?? (prose.words < fewestWords ? site.stub(digest, url, equalEnough) : undefined);
	if (original === undefined || new URL(original).host !== new URL(url).host) return undefined;
	const [known] = await context.store.pages.comparable([], [original]);
	if (known?.bodyHash === undefined || !isKnownHash(known.bodyHash, bodyHash)) return undefined;
	return aliasOf(original, 'the same bytes');
}

/** A page with relative links below it, and the page under another path that looks the same. */
interface Copy {
	readonly original?: string;
	/** Hash of its prose and of the names of these links. */
	readonly shape: number;
}

/** Skips relative links of a copy if those of other copies led to the same page again. */
function linksOf(
	{ from, url, found, signature: { prose } }: Page,
	{ original, shape }: Copy,
	site: SiteKnowledge,
	reopen: Set<Reason>,
	isFresh: boolean,
): readonly NewUrl[] {
	if (from.foundOn !== undefined && hashRoute(url) === undefined) {
		const folder = folderOf(from.foundOn);
		if (url !== from.foundOn && url.startsWith(folder) && site.tell(url, from.foundOn, original))
			reopen.add('soft-404');
	}
	// A date with new content restarts the count for the next dates.
	if (isFresh && from.dates > 0) return found.map((link) => ({ ...link, dates: Math.max(0, link.dates - from.dates) }));
	if (original === undefined) return found;
	const folder = folderOf(url);
	const shell = site.copy(original, shape, prose.verbatim);
	if (judgeCopy(shell, folder, prose.verbatim) === 'follow') return found;
	const isHeld = (link: NewUrl) => link.ending === undefined && isBelow(link, folder);
	shell.held += found.filter(isHeld).length;
	const ending = { ...outOfScope('soft-404'), detail: `behind ${url}, which is a copy of ${original}` };
	return found.map((link) => (isHeld(link) ? { ...link, ending } : link));
}

const isBelow = ({ kind, url }: NewUrl, folder: string): boolean =>
	kind === 'page' && url.length > folder.length && url.startsWith(folder) && hashRoute(url) === undefined;

/**
 * The page under another path of the host with the same text, apart from words of its address and numbers, and with
 * links of the same names below it. Folders that list their files differ in these.
 */
function copyOf({ url, signature: { prose }, found }: Page, site: SiteKnowledge, context: CrawlContext): Copy {
	const folder = folderOf(url);
	const names = found.filter((link) => isBelow(link, folder)).map((link) => link.url.slice(folder.length));
	const shape = hashOf(`${prose.shape} ${[...new Set(names)].sort().join(' ')}`);
	if (names.length === 0) return { shape };
	const first = context.duplicates.copyOf(url, shape);
	const original = site.shellOf(shape) ?? first;
	return original === undefined || folderOf(original) === folder ? { shape } : { shape, original };
}

/** Whether the visit has new content; counted for the form of its address. */
function measure({ url, signature, found }: Page, isCopy: boolean, site: SiteKnowledge, reopen: Set<Reason>): boolean {
	const form = measuredForm(url);
	if (form === undefined) return false;
	const { prose } = signature;
	const text = prose.dateless ?? prose.masked;
	const isText = prose.words > 0 && !isCopy && site.isNewText(form, text);
	const isFresh = isText || found.some((link) => leadsOut(link, url, form));
	const isPlain = listsThings(form);
	const numbered = isPlain && site.isNewText(form, prose.numbered);
	const isHealed = site.count(form, { fresh: isFresh, numbered, hash: text, verbatim: prose.verbatim });
	if (prose.links !== undefined && isPlain && site.isNewText(form, prose.links)) site.countList(form, prose.links);
	if (isHealed)
		for (const reason of ['trap-calendar', 'trap-query-permutation', 'trap-copies'] as const) reopen.add(reason);
	return isFresh;
}

/** Filters show other selections of the same items; pages of a list show each item once. */
const listsThings = (form: string): boolean => !/[+…&]/.test(form) && !form.startsWith('dates ');

/**
 * Whether both addresses differ in a generated name only, of which the linked one happens to have no digit: it looks like
 * a word, and so like another kind of page.
 */
function isDrawnSibling(url: string, from: string): boolean {
	const [name, own] = [url, from].map((each) => each.slice(each.lastIndexOf('/') + 1));
	if (name === undefined || own === undefined || name.length !== own.length) return false;
	return /^[a-z]{12,}$/i.test(name) && looksRandom(own) && url.slice(0, -name.length) === from.slice(0, -own.length);
}

/** Whether a link leads to another kind of page, and not only to more values of the same parameters. */
function leadsOut({ url, ending, kind }: NewUrl, from: string, form: string): boolean {
	if (ending !== undefined || kind !== 'page' || measuredForm(url) === form) return false;
	// With each route comes its page.
	if (url === withoutRoute(from) || isDrawnSibling(url, from)) return false;
	if (new URL(url).pathname !== new URL(from).pathname) return true;
	const [to, own] = [new URL(pathAddress(url)), new URL(pathAddress(from))];
	if (to.pathname !== own.pathname || own.search === '') return true;
	const names = new Set(to.searchParams.keys());
	return ![...own.searchParams.keys()].every((name) => names.has(name));
}
