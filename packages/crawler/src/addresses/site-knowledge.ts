import { isDatePage } from './dates.ts';
import {
	folderOf,
	formOf,
	formOfRoute,
	hashOf,
	isAddressValue,
	listedFolder,
	looksRandom,
	pathAddress,
	type UrlPart,
} from './url-parts.ts';

/** Evidence about one part of addresses, from pages whose addresses differ in nothing else. */
export interface PartBelief {
	/** Comparisons with equal pages. */
	alike: number;
	/** Of these, those whose page itself named the address without the part. */
	said: number;
	/** Of these, those with the address that lacks the part. */
	bare: number;
	different: number;
	/** Visits of an address that has the part. */
	visits: number;
	/** Addresses skipped. */
	folded: number;
	/** Hashes of a few of the compared pages and values. */
	readonly pages: number[];
	readonly values: number[];
}

/** The yield of the addresses of one form. */
export interface FormYield {
	visits: number;
	/** Visits with a new text or link. */
	fresh: number;
	/** Visits in a row without one; those with only a number from their address count less. */
	barren: number;
	/** Addresses skipped. */
	skipped: number;
	/** Hashes of the latest texts. */
	readonly texts: number[];
	/** Visits in a row with the same text, word for word, and its hash. */
	equal?: number;
	verbatim?: number;
}

/** The yield of one visit. */
export interface Yield {
	/** A new text or link. */
	readonly fresh: boolean;
	/** Only a new number that is also in the address. */
	readonly numbered: boolean;
	/** Hash of the text. */
	readonly hash: number;
	readonly verbatim: number;
}

/** Copies of one page under other paths. */
export interface Shell {
	/** Hash of its prose and its relative links. */
	readonly shape: number;
	/** Hash of the first copy, word for word. */
	readonly verbatim?: number;
	copies: number;
	/** Folders of copies whose relative links the crawler follows as a test. */
	readonly tried: string[];
	/** Results of the test: the same page again, or another one. */
	same: number;
	other: number;
	/** Links skipped. */
	held: number;
	/** Test links that led to no page. */
	missed?: number;
}

/** A page of few words. */
export interface Stub {
	readonly url: string;
	count: number;
}

/** The stored form, for one host. */
export interface Lessons {
	readonly parts: Record<string, PartBelief>;
	readonly forms: Record<string, FormYield>;
	readonly shells: Record<string, Shell>;
	/** Short pages that came byte for byte under several addresses, by a prefix of their digest. */
	readonly stubs: Record<string, Stub>;
	/** Rendered routes after `#`: how many showed another page of the application, and how many the same; skipped ones. */
	readonly routes: { other: number; same: number; skipped: number };
	/** Folders below which lists of at least three items were linked. */
	readonly listing: string[];
	/** Canonical addresses that were followed and had a different text. */
	wrongCanonicals: number;
	rightCanonicals: number;
	/** Visited addresses that were aliases. */
	aliases: number;
}

/** The most entries kept per host, about ten kilobytes. */
const most = { parts: 64, forms: 100, shells: 16, stubs: 16, listing: 50, samples: 5, texts: 16 } as const;
/**
 * One in this many skipped addresses is still visited, to correct a wrong belief; the number doubles after each trial
 * without a new result, up to `maxTrial`.
 */
const firstTrial = 50;
const firstListedTrial = 10;
const maxTrial = 800;
/** Pages that must name the other address themselves before a part is idle. */
const saidEnough = 3;
/** Comparisons of texts before a part is idle, with the number of pages and values. */
const alikeEnough = { comparisons: 4, pages: 3, values: 3 } as const;
/** The same with fewer values: all links of one page may have the same value. */
const alikeOften = 8;
/** Visits without new content after which a form must earn each further visit. */
const barrenEnough = 10;
/** The same for a form with at most one new item; a form that is new on some dates keeps the full number. */
const barrenAlways = 6;
/** The number on a page may be its only content: 120 such pages in a row are one endless space. */
const numberedShare = 1 / 20;
/** The same if the other forms of the path have brought as little in so many visits. */
const barrenKin = { visits: 1, others: 10 } as const;
/** Further visits that a visit with new content earns. */
const earned = 4;
/** The first visits with a new part run one at a time, so that each learns from the one before. */
const oneAtATime = 5;
/** This many if the part seems idle but is not proven so. */
const suspectVisits = 30;
/** Copies whose relative links are followed before the crawler decides what they are. */
const maxTried = 1;
/** The same if copies differ in numbers or in words of their addresses: nested folders. */
const deepestTrial = 4;
const sameEnough = 2;
/** Rendered routes that show the page itself, before all others count as other addresses of it. */
const sameRoutes = 2;
const maxMissed = 10;

/** Parameters that select a page: equal texts alone do not make them idle, since some pages may lack a version. */
const choosing =
	/^\?(?:\w*id|p|page|paged|seite|start|offset|from|to|n|no|nr|num|q|query|s|search|term|lang|language|locale|hl|l|v|ver|version|rev|revision|d|date|day|month|year|week|y|m|t|topic|thread|f|forum|article|post|item|sku|product|cat|category|title|name|file|doc|path|chapter|section|tab|step|lesson|action|mode|type|color|colour|size|variant|model)$/i;

/** Learned address patterns of one host: bounded, stored with the host, and unchanged by a restart. */
export class SiteKnowledge {
	/** Whether there are unsaved changes. */
	changed = false;
	readonly #learned: Lessons;

	constructor(json?: string) {
		const none = {
			parts: {},
			forms: {},
			shells: {},
			stubs: {},
			routes: { other: 0, same: 0, skipped: 0 },
			listing: [],
			wrongCanonicals: 0,
			rightCanonicals: 0,
			aliases: 0,
		};
		this.#learned = json === undefined ? none : { ...none, ...JSON.parse(json) };
	}

	get learned(): Lessons {
		return this.#learned;
	}

	toJson(): string {
		this.changed = false;
		return JSON.stringify(this.#learned);
	}

	/** Whether an address without the part is the same page. */
	isIdle({ name, value }: UrlPart): boolean {
		const belief = this.#learned.parts[name];
		return belief !== undefined && isIdleBelief(name, belief, value);
	}

	/** Whether the site responds to addresses without the part. */
	hasBare(name: string): boolean {
		return (this.#learned.parts[name]?.bare ?? 0) > 0;
	}

	/** Whether an address with the part should wait for the visits before it. */
	isOpen(part: UrlPart): boolean {
		const belief = this.#learned.parts[part.name];
		if (belief === undefined) return true;
		if (belief.different > 0 || this.isIdle(part)) return false;
		return belief.visits < oneAtATime || (belief.alike > 0 && belief.visits < suspectVisits);
	}

	/** Counts an address skipped because of the part; true for the one in many that is still visited. */
	fold(name: string): boolean {
		const belief = this.#belief(name);
		belief.folded++;
		return isTrialCount(belief.folded);
	}

	see(part: UrlPart): void {
		this.#belief(part.name).visits++;
	}

	/**
	 * Records a comparison of two addresses that differ in one part.
	 *
	 * @param bare one of them lacks the part
	 * @param other the value of the part in the other address
	 * @param said the page names the other address itself
	 */
	compare({ name, value, rest }: UrlPart, alike: boolean, { bare = false, said = false, other = '' } = {}): void {
		const belief = this.#belief(name);
		if (alike) {
			belief.alike++;
			if (said) belief.said++;
			if (bare) belief.bare++;
			remember(belief.pages, hashOf(rest));
			for (const each of [value, other]) if (each !== '') remember(belief.values, hashOf(each));
		} else belief.different++;
	}

	/** Whether the site shows another page for some of its routes; undefined without enough evidence. */
	get hasRoutes(): boolean | undefined {
		const { other, same } = this.#learned.routes;
		return other > 0 || (same >= sameRoutes ? false : undefined);
	}

	/** Counts a rendered route. @returns whether skipped routes are wanted after all */
	seeRoute(isOther: boolean): boolean {
		const { routes } = this.#learned;
		this.changed = true;
		const heals = isOther && this.hasRoutes === false && routes.skipped > 0;
		if (isOther) routes.other++;
		else routes.same++;
		return heals;
	}

	/** Counts a skipped route; true for the one in many that is still rendered. */
	skipRoute(): boolean {
		this.changed = true;
		return isTrialCount(++this.#learned.routes.skipped);
	}

	/**
	 * Whether a form has had no new content for so long that the crawler skips it.
	 *
	 * @param isListed the address is on a page of another kind, which may list everything there is: then only a text that
	 * has always been the same, word for word, shows that there is no new content
	 */
	isExhausted(form: string, isListed: boolean): boolean {
		const found = this.#learned.forms[form];
		if (found === undefined) return false;
		if (isListed && (found.equal ?? 0) < barrenAlways) return false;
		if (isExhaustedForm(form, found)) return true;
		return found.barren === found.visits && found.visits >= barrenKin.visits && this.#hasBarrenKin(form);
	}

	/** Whether the other forms of the path had no new content either: filters, of which there are many sets. */
	#hasBarrenKin(form: string): boolean {
		const path = pathOfForm(form);
		if (path === form) return false;
		const kin = Object.entries(this.#learned.forms).filter(([name]) => name !== path && pathOfForm(name) === path);
		const visits = kin.reduce((sum, [, found]) => sum + found.visits, 0);
		const fresh = kin.reduce((sum, [, found]) => sum + found.fresh, 0);
		return visits >= barrenKin.others && visits - fresh > earned * fresh;
	}

	isBarren(form: string): boolean {
		const found = this.#learned.forms[form];
		return this.#hasBarrenKin(form) || (found !== undefined && found.fresh <= 1 && found.barren >= 1);
	}

	/** Counts a skipped address; true for those that are still visited, listed ones earlier and more often. */
	skip(form: string, isListed: boolean): boolean {
		const found = this.#form(form);
		found.skipped++;
		return isTrialCount(found.skipped, isListed ? firstListedTrial : firstTrial);
	}

	/** Whether a text is new to a form, and to the other forms of the same path. */
	isNewText(form: string, hash: number): boolean {
		const path = pathOfForm(form);
		return !Object.entries(this.#learned.forms).some(
			([name, { texts }]) => pathOfForm(name) === path && texts.includes(hash),
		);
	}

	/** A page of a form lists known items in a new list: the form continues, but the page does not count as new. */
	countList(form: string, links: number): void {
		const found = this.#form(form);
		remember(found.texts, links, most.texts);
		found.barren = Math.max(0, found.barren - earned);
	}

	/** @returns whether a skipped form has new content after all */
	count(form: string, { fresh, numbered, hash, verbatim }: Yield): boolean {
		const found = this.#form(form);
		found.equal = found.verbatim === verbatim ? (found.equal ?? 0) + 1 : 0;
		found.verbatim = verbatim;
		const heals = fresh && isExhaustedForm(form, found);
		found.visits++;
		found.barren = fresh
			? Math.max(0, Math.min(found.barren, barrenEnough) - earned)
			: found.barren + (numbered ? numberedShare : 1);
		if (fresh) found.fresh++;
		remember(found.texts, hash, most.texts);
		return heals;
	}

	/** Records that a page has the text of another one under another path. */
	copy(original: string, shape: number, verbatim: number): Shell {
		const shell = this.#entry(this.#learned.shells, original, most.shells, () => ({
			shape,
			verbatim,
			copies: 0,
			tried: [],
			same: 0,
			other: 0,
			held: 0,
		}));
		shell.copies++;
		return shell;
	}

	/** Records a page of few words. @returns the first with the same bytes, once there are enough of them */
	stub(digest: string, url: string, enough: number): string | undefined {
		const stub = this.#entry(this.#learned.stubs, digest, most.stubs, () => ({ url, count: 0 }));
		stub.count++;
		return stub.count >= enough && stub.url !== url ? stub.url : undefined;
	}

	/** The page that looks like this one and was found under several paths. */
	shellOf(shape: number): string | undefined {
		return Object.entries(this.#learned.shells).find(([, shell]) => shell.shape === shape)?.[0];
	}

	/** Records the target of a relative link of a copy. @returns whether skipped links are wanted after all */
	tell(url: string, foundOn: string, twin: string | undefined): boolean {
		let heals = false;
		for (const [original, shell] of Object.entries(this.#learned.shells)) {
			if (!isTrial(shell, url, foundOn) && (foundOn !== original || isFront(original))) continue;
			this.changed = true;
			// A copy of any page is not new: extraction may show one page in two ways.
			if (twin !== undefined) shell.same++;
			else {
				heals ||= shell.held > 0;
				shell.other++;
			}
		}
		return heals;
	}

	/**
	 * Records that a link of a copy led to no page, which shows nothing: the skipped links are wanted, and another copy is
	 * tested.
	 *
	 * @returns whether there are any
	 */
	miss(url: string, foundOn: string): boolean {
		const missed = Object.values(this.#learned.shells).filter(
			(shell) => shell.same + shell.other === 0 && (shell.missed ?? 0) < maxMissed && isTrial(shell, url, foundOn),
		);
		for (const shell of missed) {
			shell.missed = (shell.missed ?? 0) + 1;
			shell.tried.length = 0;
		}
		if (missed.length > 0) this.changed = true;
		return missed.some(({ held }) => held > 0);
	}

	/** Records that a folder lists at least three items: such lists grow. */
	sawListing(place: string): void {
		if (this.#learned.listing.includes(place) || this.#learned.listing.length >= most.listing) return;
		this.#learned.listing.push(place);
		this.changed = true;
	}

	/** Whether addresses were skipped because of one of their parts. */
	get folds(): boolean {
		return Object.values(this.#learned.parts).some(({ folded }) => folded > 0);
	}

	isListing(place: string): boolean {
		return this.#learned.listing.includes(place);
	}

	/** Records that a canonical address was followed. */
	followed(right: boolean): void {
		if (right) this.#learned.rightCanonicals++;
		else this.#learned.wrongCanonicals++;
		this.changed = true;
	}

	/** Whether the site's canonical addresses have not turned out to be wrong. */
	get trustsCanonicals(): boolean {
		const { rightCanonicals, wrongCanonicals } = this.#learned;
		return wrongCanonicals < 3 || rightCanonicals > wrongCanonicals;
	}

	addAlias(): void {
		this.#learned.aliases++;
		this.changed = true;
	}

	#belief(name: string): PartBelief {
		return this.#entry(this.#learned.parts, name, most.parts, () => ({
			alike: 0,
			said: 0,
			bare: 0,
			different: 0,
			visits: 0,
			folded: 0,
			pages: [],
			values: [],
		}));
	}

	#form(form: string): FormYield {
		return this.#entry(this.#learned.forms, form, most.forms, () => ({
			visits: 0,
			fresh: 0,
			barren: 0,
			skipped: 0,
			texts: [],
		}));
	}

	/** When there are too many, drops one that causes no skips. */
	#entry<Value extends object>(of: Record<string, Value>, name: string, limit: number, make: () => Value): Value {
		this.changed = true;
		const known = of[name];
		if (known !== undefined) return known;
		const entries = Object.entries(of);
		const [leaving] = entries.find(([, value]) => isDispensable(value)) ?? entries[0] ?? [];
		if (entries.length >= limit && leaving !== undefined) delete of[leaving];
		const made = make();
		of[name] = made;
		return made;
	}
}

const isDispensable = (entry: object): boolean =>
	!('folded' in entry && Number(entry.folded) > 0) &&
	!('skipped' in entry && Number(entry.skipped) > 0) &&
	!('held' in entry && Number(entry.held) > 0);

/** The name of a part, as if it were one of the query of a page. */
const inQuery = (name: string): string => name.replace(/^#/, '').replace(/^;/, '?');

function isIdleBelief(name: string, belief: PartBelief, value: string): boolean {
	const { alike, said, different, pages, values } = belief;
	if (said >= saidEnough && pages.length >= 2 && different * 10 <= said) return true;
	if (different > 0) return false;
	// A redirect target in a parameter does not select the page that receives it.
	if (inQuery(name).startsWith('?') && isAddressValue(value) && alike >= saidEnough && values.length >= 3) return true;
	if (choosing.test(inQuery(name)) && !looksRandom(value)) return false;
	const isVaried = values.length >= alikeEnough.values || alike >= alikeOften;
	return alike >= alikeEnough.comparisons && pages.length >= alikeEnough.pages && isVaried;
}

/** Whether a part is idle, regardless of its value. */
export const isIdlePart = (name: string, belief: PartBelief): boolean => isIdleBelief(name, belief, '');

export function isExhaustedForm(form: string, { fresh, visits, barren }: FormYield): boolean {
	const enough = fresh > 1 || form.startsWith(dated) ? barrenEnough : barrenAlways;
	return barren >= enough && visits - fresh > earned * fresh;
}

/** The form of addresses with a date. */
const dated = 'dates ';

/** After 50, 150, 350 and so on. */
function isTrialCount(count: number, first = firstTrial): boolean {
	for (let next = first, span = first; next <= count; ) {
		if (next === count) return true;
		span = Math.min(span * 2, maxTrial);
		next += span;
	}
	return false;
}

/** Whether a page was visited to test the links of a copy. */
const isTrial = ({ tried }: Shell, url: string, foundOn: string): boolean =>
	tried.some((folder) => url.startsWith(folder) && folderOf(foundOn).startsWith(folder));

const isFront = (url: string): boolean => new URL(url).pathname === '/';

const pathOfForm = (form: string): string => form.replace(/\?.*$/s, '');

/** Whether an address was found on a page of the same form, or on a page for one of its items: `/tag/a+b`, `/tag/a`. */
export function isOneKind(url: string, foundOn: string): boolean {
	const [form, other] = [measuredForm(url), measuredForm(foundOn)];
	if (form !== undefined && other !== undefined && pathOfForm(form) === pathOfForm(other)) return true;
	const folder = listedFolder(url);
	if (folder === undefined) return false;
	const start = `${folder.place}/`;
	const { pathname } = new URL(pathAddress(foundOn));
	return pathname.startsWith(start) && folder.things.includes(pathname.slice(start.length).split('/')[0] ?? '');
}

/** Decides how to treat the relative links of a copy. */
export function judgeCopy(shell: Shell, folder: string, verbatim: number): 'follow' | 'hold' {
	if (shell.other > 0 || shell.tried.includes(folder)) return 'follow';
	// A tree whose pages differ in numbers, or in words of their addresses, ends somewhere: follow one branch.
	const isExact = shell.verbatim === undefined || shell.verbatim === verbatim;
	const last = shell.tried.at(-1);
	const isBranch = !isExact && last !== undefined && folder.startsWith(last) && shell.tried.length < deepestTrial;
	if (!isBranch && (shell.same >= sameEnough || shell.tried.length >= maxTried)) return 'hold';
	shell.tried.push(folder);
	return 'follow';
}

function remember(list: number[], hash: number, limit: number = most.samples): void {
	if (list.includes(hash)) return;
	list.push(hash);
	if (list.length > limit) list.shift();
}

/** The form whose yield is measured: dates are one form, however they are written. */
export function measuredForm(href: string): string | undefined {
	const form = formOfRoute(href) ?? formOf(href);
	if (!isDatePage(new URL(pathAddress(href)))) return form;
	return `${dated}${(form ?? '/#').replace(/\d+/g, '#')}`;
}
