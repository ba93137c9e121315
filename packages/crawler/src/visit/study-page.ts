import { aliasOf, outOfScope } from '../discover/discovery.ts';
import { isAlike, type Likeness } from '../discover/likeness.ts';
import type { Prose } from '../discover/prose.ts';
import { judgeCopy, measuredForm, type SiteKnowledge } from '../discover/site-knowledge.ts';
import { folderOf, hashOf, looksRandom, partsOf, type UrlPart } from '../discover/url-parts.ts';
import type { Ending, Reason } from '../outcome.ts';
import type { Comparable, FrontierUrl, NewUrl } from '../store/types.ts';
import { coreOf, isListing, nameOf, nameOfCore } from './judge-address.ts';
import type { World } from './world.ts';

/** What a page was read to say, for comparison with others. */
export interface Signature {
	readonly likeness?: Likeness | undefined;
	readonly prose: Prose;
	/** Of the decoded body. */
	readonly bodyHash: Uint8Array;
	/** The page that has nearly the same text. */
	readonly twin?: Twin | undefined;
}

export interface Twin {
	readonly url: string;
	readonly prose?: number;
}

/** What a visit has taught. */
export interface Lesson {
	/** Names by which the page is found when another address of it comes. */
	readonly names: readonly string[];
	readonly found: readonly NewUrl[];
	/** The page is another one, byte for byte. */
	readonly alias?: Ending;
	/** Endings without a request that are to be judged again, since one of their kind was something else. */
	readonly reopen: readonly Reason[];
}

/** Fewer words tell too little to compare. */
const fewestWords = 50;
/** Equal pages of so few words are one from this many on. */
const equalEnough = 5;

interface Page {
	readonly from: FrontierUrl;
	readonly url: string;
	readonly signature: Signature;
	readonly found: readonly NewUrl[];
	/** Parts that a canonical address has spoken of already. */
	readonly settled: readonly string[];
}

/** Compares a page with those that differ from it in one part of their address, or have its text under another path. */
export async function studyPage(page: Page, site: SiteKnowledge, world: World): Promise<Lesson> {
	const { from, url, signature, settled } = page;
	const core = coreOf(url, site);
	const parts = partsOf(url);
	const bare = parts.filter(({ isAddress }) => isAddress).map(({ rest }) => rest);
	const all = [...parts.map(nameOf), ...(core.key !== url || isListing(url) ? [nameOfCore(core)] : [])];
	const others = await world.store.comparable(all, bare);
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
	const copy = copyOf(page, site, world);
	const alias = from.seed ? undefined : await equalPage(page, copy.original, site, world);
	const isFresh = alias === undefined && measure(page, same, site, reopen);
	const links = linksOf(page, copy, site, reopen, isFresh);
	const taken = new Set(others.map(({ key }) => key));
	const names = all.filter((name) => !taken.has(name));
	return { names, found: links, reopen: [...reopen], ...(alias && { alias }) };
}

/** The page without the part counts most, then the first that had another value. */
function otherOf(part: UrlPart, others: readonly Comparable[], url: string): Comparable | undefined {
	const withText = others.filter((other) => other.url !== url && other.likeness !== undefined);
	return withText.find(({ key }) => key === part.rest) ?? withText.find(({ key }) => key === nameOf(part));
}

export type Verdict = 'same' | 'near' | 'other';

/** Undefined where a text is too short to tell. */
export function compareTexts({ likeness, prose }: Signature, other: Comparable): Verdict | undefined {
	if (likeness === undefined || other.likeness === undefined) return undefined;
	if (prose.words >= fewestWords && prose.hash === other.prose) return 'same';
	return isAlike(likeness, other.likeness) ? 'near' : 'other';
}

function teach(part: UrlPart, verdict: Verdict, other: Comparable, site: SiteKnowledge): void {
	const bare = other.url === part.rest;
	// Pages may show a random value, or the time: then they are nearly the same. Products may be so too.
	const isAlikeEnough = verdict === 'same' || (verdict === 'near' && looksRandom(part.value) && bare);
	const before = partsOf(other.url).find(({ name }) => name === part.name);
	site.compare(part, isAlikeEnough, { bare, ...(before && { other: before.value }) });
}

/** Byte for byte another page of the same host. */
async function equalPage(
	{ url, signature }: Page,
	copied: string | undefined,
	site: SiteKnowledge,
	world: World,
): Promise<Ending | undefined> {
	const { twin, bodyHash, prose } = signature;
	const digest = Buffer.from(bodyHash).toString('hex', 0, 8);
	const original = twin?.url ?? copied ?? (prose.words < fewestWords ? site.stub(digest, url, equalEnough) : undefined);
	if (original === undefined || new URL(original).host !== new URL(url).host) return undefined;
	const [known] = await world.store.comparable([], [original]);
	if (known?.bodyHash === undefined || Buffer.compare(known.bodyHash, bodyHash) !== 0) return undefined;
	return aliasOf(original, 'the same bytes');
}

/** A page whose relative links lead below it, and the page under another path that looks the same. */
interface Copy {
	readonly original?: string;
	/** Of its prose and of the names of these links. */
	readonly shape: number;
}

/** Relative links of a copy are left out where those of other copies have led to the same page again. */
function linksOf(
	{ from, url, found, signature: { prose } }: Page,
	{ original, shape }: Copy,
	site: SiteKnowledge,
	reopen: Set<Reason>,
	isFresh: boolean,
): readonly NewUrl[] {
	if (from.foundOn !== undefined) {
		const folder = folderOf(from.foundOn);
		if (url !== from.foundOn && url.startsWith(folder) && site.tell(url, from.foundOn, original))
			reopen.add('soft-404');
	}
	// A date that has brought something begins the way to the next ones again.
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
	kind === 'page' && url.length > folder.length && url.startsWith(folder);

/**
 * The page under another path of the host that says the same, but for words of its address and numbers, and that has
 * links of the same names below itself. Folders that list their files differ in these.
 */
function copyOf({ url, signature: { prose }, found }: Page, site: SiteKnowledge, world: World): Copy {
	const folder = folderOf(url);
	const names = found.filter((link) => isBelow(link, folder)).map((link) => link.url.slice(folder.length));
	const shape = hashOf(`${prose.shape} ${[...new Set(names)].sort().join(' ')}`);
	if (names.length === 0) return { shape };
	const first = world.duplicates.copyOf(url, shape);
	const original = site.shellOf(shape) ?? first;
	return original === undefined || folderOf(original) === folder ? { shape } : { shape, original };
}

/** Whether the visit has brought something; counted for the form of its address. */
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

/** Filters show ever other choices of the same things; pages of a list show each once. */
const listsThings = (form: string): boolean => !/[+…&]/.test(form) && !form.startsWith('dates ');

/** Whether a link leads to another kind of page, and not only to more of the same parameters. */
function leadsOut({ url, ending, kind }: NewUrl, from: string, form: string): boolean {
	if (ending !== undefined || kind !== 'page' || measuredForm(url) === form) return false;
	const [to, own] = [new URL(url), new URL(from)];
	if (to.pathname !== own.pathname || own.search === '') return true;
	const names = new Set(to.searchParams.keys());
	return ![...own.searchParams.keys()].every((name) => names.has(name));
}
