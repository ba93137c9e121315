import { isDatePage } from './dates.ts';
import { folderOf, formOf, hashOf, isAddressValue, listedFolder, looksRandom, type UrlPart } from './url-parts.ts';

/** What is believed of one part of addresses, from pages that differ in nothing else. */
export interface PartBelief {
	/** Comparisons in which the page was the same. */
	alike: number;
	/** Of these, those in which the page itself named the address without the part. */
	said: number;
	/** Of these, those with the address that does not have the part. */
	bare: number;
	different: number;
	/** Visits of an address that has it. */
	visits: number;
	/** Addresses that were left out. */
	folded: number;
	/** A few of the pages and of the values that were compared, as hashes. */
	readonly pages: number[];
	readonly values: number[];
}

/** What the addresses of one form have brought. */
export interface FormYield {
	visits: number;
	/** Visits that brought a text or a link that was not known. */
	fresh: number;
	/** Visits in a row that did not; those that brought a number of their address count less. */
	barren: number;
	/** Addresses that were left out. */
	skipped: number;
	/** The texts that came last, as hashes. */
	readonly texts: number[];
	/** Visits in a row whose text was the same word for word, and that text. */
	equal?: number;
	verbatim?: number;
}

/** What one visit has brought. */
export interface Yield {
	/** A text or a link that was not known. */
	readonly fresh: boolean;
	/** Nothing but a number that is in the address, too. */
	readonly numbered: boolean;
	/** Of the text. */
	readonly hash: number;
	readonly verbatim: number;
}

/** Copies of one page under other paths. */
export interface Shell {
	/** Of its prose and its relative links. */
	readonly shape: number;
	/** Of the first copy, word for word. */
	readonly verbatim?: number;
	copies: number;
	/** Folders of copies whose relative links are followed to see what is there. */
	readonly tried: string[];
	/** What was there: the same page again, or another. */
	same: number;
	other: number;
	/** Links that were left out. */
	held: number;
	/** Links that were followed to learn what is there, and led to nothing. */
	missed?: number;
}

/** A page of few words. */
export interface Stub {
	readonly url: string;
	count: number;
}

/** As it is stored, for one host. */
export interface Lessons {
	readonly parts: Record<string, PartBelief>;
	readonly forms: Record<string, FormYield>;
	readonly shells: Record<string, Shell>;
	/** Short pages that came byte for byte under several addresses: by a part of their digest. */
	readonly stubs: Record<string, Stub>;
	/** Folders below which lists of three things and more were linked. */
	readonly listing: string[];
	/** Canonical addresses that were followed, and had another text. */
	wrongCanonicals: number;
	rightCanonicals: number;
	/** Addresses that were visited and found to be aliases. */
	aliases: number;
}

/** How many of each are kept for a host: some ten kilobytes. */
const most = { parts: 64, forms: 100, shells: 16, stubs: 16, listing: 50, samples: 5, texts: 16 } as const;
/**
 * One in so many addresses that are left out is visited all the same, so that a wrong belief heals; twice as many after
 * each trial that has changed nothing, up to `longestTrial`.
 */
const firstTrial = 50;
const firstListedTrial = 10;
const longestTrial = 800;
/** Comparisons of pages that name the other address themselves, after which a part is idle. */
const saidEnough = 3;
/** Comparisons of texts after which a part is idle, and on how many pages. */
const alikeEnough = { comparisons: 4, pages: 3, values: 3 } as const;
/** The same where there were fewer values: all links of one page may have the same. */
const alikeOften = 8;
/** Visits without anything new after which a form has to earn each further one. */
const barrenEnough = 10;
/** The same for a form that has brought one thing at most; what is new on some dates only has the time that others have. */
const barrenAlways = 6;
/** A page that says which number it has may be all that there is of it: 120 such in a row are one endless space. */
const numberedShare = 1 / 20;
/** The same, where the other forms of the path have brought as little in so many visits. */
const barrenKin = { visits: 1, others: 10 } as const;
/** Further visits that one with something new earns. */
const earned = 4;
/** The first visits with a new part are made one at a time, so that each learns from the one before. */
const oneAtATime = 5;
/** While it seems idle and is not proven, so many are. */
const suspectVisits = 30;
/** Copies whose relative links are followed before it is known what they are. */
const mostTried = 1;
/** The same where copies differ in numbers or in words of their addresses: folders below one another. */
const deepestTrial = 4;
const sameEnough = 2;
const mostMissed = 10;

/** Parameters that choose a page: equal texts alone do not make them idle, since some pages may be missing a version. */
const choosing =
	/^\?(?:\w*id|p|page|paged|seite|start|offset|from|to|n|no|nr|num|q|query|s|search|term|lang|language|locale|hl|l|v|ver|version|rev|revision|d|date|day|month|year|week|y|m|t|topic|thread|f|forum|article|post|item|sku|product|cat|category|title|name|file|doc|path|chapter|section|tab|step|lesson|action|mode|type|color|colour|size|variant|model)$/i;

/** What one host has taught about its addresses: bounded, stored with the host, and the same after a restart. */
export class SiteKnowledge {
	/** Whether there is something to save. */
	changed = false;
	readonly #learned: Lessons;

	constructor(json?: string) {
		const none = {
			parts: {},
			forms: {},
			shells: {},
			stubs: {},
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

	/** Whether an address stays the same page without the part. */
	isIdle({ name, value }: UrlPart): boolean {
		const belief = this.#learned.parts[name];
		return belief !== undefined && isIdleBelief(name, belief, value);
	}

	/** Whether the site answers addresses without the part. */
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

	/** One address is left out because of the part; true for the one in many that is visited all the same. */
	fold(name: string): boolean {
		const belief = this.#belief(name);
		belief.folded++;
		return isTrialCount(belief.folded);
	}

	see(part: UrlPart): void {
		this.#belief(part.name).visits++;
	}

	/**
	 * Two addresses that differ in one part have been compared.
	 *
	 * @param bare one of them does not have it
	 * @param other the value that the other one has
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

	/**
	 * Whether a form has brought nothing new for so long that it is left out.
	 *
	 * @param isListed the address was found on a page of another kind, which may list what there is: then only a text
	 * that has always been the same word for word tells that nothing is there
	 */
	isExhausted(form: string, isListed: boolean): boolean {
		const found = this.#learned.forms[form];
		if (found === undefined) return false;
		if (isListed && (found.equal ?? 0) < barrenAlways) return false;
		if (isExhaustedForm(form, found)) return true;
		return found.barren === found.visits && found.visits >= barrenKin.visits && this.#hasBarrenKin(form);
	}

	/** Whether the other forms of the path have brought nothing either: filters, of which there are many sets. */
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

	/** One address is left out; true for those that are visited all the same, of listed ones earlier and more. */
	skip(form: string, isListed: boolean): boolean {
		const found = this.#form(form);
		found.skipped++;
		return isTrialCount(found.skipped, isListed ? firstListedTrial : firstTrial);
	}

	/** Whether a text is new to a form, and to others of the same path. */
	isNewText(form: string, hash: number): boolean {
		const path = pathOfForm(form);
		return !Object.entries(this.#learned.forms).some(
			([name, { texts }]) => pathOfForm(name) === path && texts.includes(hash),
		);
	}

	/** A page of a form lists what is known, in a list that is new: such a form goes on, but has nothing to its credit. */
	countList(form: string, links: number): void {
		const found = this.#form(form);
		remember(found.texts, links, most.texts);
		found.barren = Math.max(0, found.barren - earned);
	}

	/** @returns whether a form that was left out has brought something after all */
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

	/** A page has the text of another one under another path. */
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

	/** A page of few words has come. @returns the first of its bytes, once there are enough of them */
	stub(digest: string, url: string, enough: number): string | undefined {
		const stub = this.#entry(this.#learned.stubs, digest, most.stubs, () => ({ url, count: 0 }));
		stub.count++;
		return stub.count >= enough && stub.url !== url ? stub.url : undefined;
	}

	/** The page that looks like this and was found under several paths. */
	shellOf(shape: number): string | undefined {
		return Object.entries(this.#learned.shells).find(([, shell]) => shell.shape === shape)?.[0];
	}

	/** What a relative link of a copy has led to. @returns whether links that were left out are wanted after all */
	tell(url: string, foundOn: string, twin: string | undefined): boolean {
		let heals = false;
		for (const [original, shell] of Object.entries(this.#learned.shells)) {
			if (!isTrial(shell, url, foundOn) && (foundOn !== original || isFront(original))) continue;
			this.changed = true;
			// A copy of any page is nothing new: extraction may show one page in two ways.
			if (twin !== undefined) shell.same++;
			else {
				heals ||= shell.held > 0;
				shell.other++;
			}
		}
		return heals;
	}

	/**
	 * A link of a copy has led to no page: that teaches nothing, so what was left out is wanted, and another copy is tried.
	 *
	 * @returns whether there is any
	 */
	miss(url: string, foundOn: string): boolean {
		const missed = Object.values(this.#learned.shells).filter(
			(shell) => shell.same + shell.other === 0 && (shell.missed ?? 0) < mostMissed && isTrial(shell, url, foundOn),
		);
		for (const shell of missed) {
			shell.missed = (shell.missed ?? 0) + 1;
			shell.tried.length = 0;
		}
		if (missed.length > 0) this.changed = true;
		return missed.some(({ held }) => held > 0);
	}

	/** A folder lists three things or more: what it lists grows. */
	sawListing(place: string): void {
		if (this.#learned.listing.includes(place) || this.#learned.listing.length >= most.listing) return;
		this.#learned.listing.push(place);
		this.changed = true;
	}

	/** Whether addresses have been left out because of one of their parts. */
	get folds(): boolean {
		return Object.values(this.#learned.parts).some(({ folded }) => folded > 0);
	}

	isListing(place: string): boolean {
		return this.#learned.listing.includes(place);
	}

	/** A canonical address was followed. */
	followed(right: boolean): void {
		if (right) this.#learned.rightCanonicals++;
		else this.#learned.wrongCanonicals++;
		this.changed = true;
	}

	/** Whether the site's canonical addresses have not turned out to be others. */
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

	/** Where there are too many, one goes that leaves nothing out. */
	#entry<Value extends object>(of: Record<string, Value>, name: string, limit: number, make: () => Value): Value {
		this.changed = true;
		const known = of[name];
		if (known !== undefined) return known;
		const names = Object.keys(of);
		if (names.length >= limit) delete of[names.find((each) => isDispensable(of[each]!)) ?? names[0]!];
		const made = make();
		of[name] = made;
		return made;
	}
}

const isDispensable = (entry: object): boolean =>
	!('folded' in entry && Number(entry.folded) > 0) &&
	!('skipped' in entry && Number(entry.skipped) > 0) &&
	!('held' in entry && Number(entry.held) > 0);

function isIdleBelief(name: string, belief: PartBelief, value: string): boolean {
	const { alike, said, different, pages, values } = belief;
	if (said >= saidEnough && pages.length >= 2 && different * 10 <= said) return true;
	if (different > 0) return false;
	// Where to go next is said by an address, which does not choose the page that it is given to.
	if (name.startsWith('?') && isAddressValue(value) && alike >= saidEnough && values.length >= 3) return true;
	if (choosing.test(name) && !looksRandom(value)) return false;
	const isVaried = values.length >= alikeEnough.values || alike >= alikeOften;
	return alike >= alikeEnough.comparisons && pages.length >= alikeEnough.pages && isVaried;
}

/** Whether a part is idle, whatever its value. */
export const isIdlePart = (name: string, belief: PartBelief): boolean => isIdleBelief(name, belief, '');

export function isExhaustedForm(form: string, { fresh, visits, barren }: FormYield): boolean {
	const enough = fresh > 1 || form.startsWith(dated) ? barrenEnough : barrenAlways;
	return barren >= enough && visits - fresh > earned * fresh;
}

/** The form of addresses that name a date. */
const dated = 'dates ';

/** After 50, 150, 350 and so on. */
function isTrialCount(count: number, first = firstTrial): boolean {
	for (let next = first, span = first; next <= count; ) {
		if (next === count) return true;
		span = Math.min(span * 2, longestTrial);
		next += span;
	}
	return false;
}

/** Whether a page was visited to see what is below a copy. */
const isTrial = ({ tried }: Shell, url: string, foundOn: string): boolean =>
	tried.some((folder) => url.startsWith(folder) && folderOf(foundOn).startsWith(folder));

const isFront = (url: string): boolean => new URL(url).pathname === '/';

const pathOfForm = (form: string): string => form.replace(/\?.*$/s, '');

/** Whether an address was found on a page of the same form, or on one of the things that it lists: `/tag/a+b`, `/tag/a`. */
export function isOneKind(url: string, foundOn: string): boolean {
	const [form, other] = [measuredForm(url), measuredForm(foundOn)];
	if (form !== undefined && other !== undefined && pathOfForm(form) === pathOfForm(other)) return true;
	const folder = listedFolder(url);
	if (folder === undefined) return false;
	const start = `${folder.place}/`;
	const { pathname } = new URL(foundOn);
	return pathname.startsWith(start) && folder.things.includes(pathname.slice(start.length).split('/')[0] ?? '');
}

/** What is to be done with the relative links of a copy. */
export function judgeCopy(shell: Shell, folder: string, verbatim: number): 'follow' | 'hold' {
	if (shell.other > 0 || shell.tried.includes(folder)) return 'follow';
	// A tree whose pages differ in numbers, or in words of their addresses, ends somewhere: one branch is followed.
	const isExact = shell.verbatim === undefined || shell.verbatim === verbatim;
	const last = shell.tried.at(-1);
	const isBranch = !isExact && last !== undefined && folder.startsWith(last) && shell.tried.length < deepestTrial;
	if (!isBranch && (shell.same >= sameEnough || shell.tried.length >= mostTried)) return 'hold';
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
	const form = formOf(href);
	if (!isDatePage(new URL(href))) return form;
	return `${dated}${(form ?? '/#').replace(/\d+/g, '#')}`;
}
