import { channel } from 'node:diagnostics_channel';
import { type Evidence, present } from '@wayleave/protocols';
import {
	type Agent,
	type AskRecord,
	type FileState,
	type FileVocabulary,
	fileVocabularies,
	type HostPolicies,
	type PageSignals,
	type PreparedPolicies,
	preparePolicies,
	robots2FileState,
	robotsFileState,
	type Use,
	uses,
	type Verdict,
} from '@wayleave/protocols/policy';
import { parseRobots } from '@wayleave/protocols/robots';
import { parseRobots2, resolveChain } from '@wayleave/protocols/robots2';
import { parseSomRecords, type SomDeclaration } from '@wayleave/protocols/som';
import { defaultReadings, readPageUrl } from '@wayleave/protocols/url';
import { BoundedMap } from '../base/bounded-map.ts';
import type { CrawlEvent } from '../model/events.ts';
import type { Ending, Reason } from '../model/outcome.ts';
import type { PolicyNote } from '../model/result.ts';
import type { HostSlot, NotScheduled, SitePace } from '../politeness/host-slot.ts';
import { looksLikeHtml } from '../response/classify.ts';
import type { AskClient } from './ask-client.ts';
import { type LoadedFile, type PolicyFiles, rememberedBytes } from './policy-files.ts';

/** The terms of a site for one URL. */
export type Permit = Permitted | Forbidden;

export interface Permitted {
	readonly permitted: true;
	/** Storage of the content: `session` and `no` mean that nothing of it outlives this process. */
	readonly store: 'yes' | 'session' | 'no';
	/** The lines that say so, where it is not `yes`. */
	readonly storeEvidence: readonly Evidence[];
	readonly note: PolicyNote;
	/** Asks again, with what the response says about itself. */
	withPage(page: PageSignals): Permit;
}

export interface Forbidden {
	readonly permitted: false;
	/** Whether robots2.txt also forbids keeping earlier copies. */
	readonly revoked: boolean;
	readonly ending: Ending;
	readonly evidence: readonly Evidence[];
	/** It holds for the whole origin: the others need not be tried now. */
	readonly everywhere: boolean;
	/** The site offers no other form of the page either. */
	readonly final?: true;
	/** Uses that the site has to be asked for first. */
	readonly ask?: readonly Use[];
}

/** The terms of one origin, or why they cannot be known, and thus nothing be fetched, for now. */
type Terms = KnownTerms | { readonly unreachable: Ending };

interface KnownTerms {
	readonly unreachable?: undefined;
	readonly prepared: PreparedPolicies;
	readonly pace: SitePace;
	readonly sitemaps: readonly string[];
	readonly som: SomDeclaration;
}

/** Name of the `node:diagnostics_channel` that has a DecisionMessage for every decision about a URL. */
export const decisionChannel = 'wayleave:decision';

/** Whether a URL may be fetched and used, and why. */
export interface DecisionMessage {
	readonly url: string;
	readonly permitted: boolean;
	/** If it is not permitted. */
	readonly reason?: Reason;
	readonly detail?: string;
	/** The lines that decided; for a permission the terms that it comes with. */
	readonly evidence: readonly Evidence[];
}

const decisions = channel(decisionChannel);

function messageOf(url: string, permit: Permit): DecisionMessage {
	if (permit.permitted) return { url, permitted: true, evidence: [] };
	const { reason, detail } = permit.ending;
	return present({ url, permitted: false, evidence: permit.evidence, reason, detail });
}

/** Input of a decision besides the address. */
type DecisionInput = {
	readonly page?: PageSignals;
	readonly representation?: 'som';
	readonly asks?: readonly AskRecord[];
	readonly list?: boolean;
};

/** A file that robots2.txt chains to, by the address it is asked for; none where it cannot be had for now. */
interface ChainLink {
	readonly url: string;
	readonly file: LoadedFile | undefined;
}

interface VocabularyFile {
	readonly vocabulary: FileVocabulary;
	readonly file: LoadedFile;
}

/** Terms, and the chain that they were made from. */
interface ReadTerms {
	readonly terms: Terms;
	readonly chain: readonly ChainLink[];
}

/** With their source files: if one of them changes, the terms are computed again. */
interface Remembered extends ReadTerms {
	readonly files: readonly LoadedFile[];
}

/** Reasons for the visit itself to wait, because a file of the chain cannot be fetched yet. */
type Waits = Exclude<NotScheduled, 'too-long'>;

/** Uses that begin when a person is shown the text. */
const whenShown: readonly Use[] = ['summarise', 'quote', 'derivative'];

/** Origins whose terms are kept ready. */
const rememberedOrigins = 2000;

/** Settings that decide about permissions. */
export interface PolicySettings {
	/** Without `crawl`, which is always asked. */
	readonly uses: readonly Use[];
	readonly agent: Agent;
	/** Whether the crawler asks sites for permissions that they grant on request. */
	readonly asks: boolean;
	/** Judge an address in every reading that a server may have of it. */
	readonly everyReading: boolean;
	/**
	 * Read no further file about a page that robots.txt already forbids: nothing is stored that another could withdraw.
	 */
	readonly brief: boolean;
	/** Milliseconds between two requests. */
	readonly delay: number;
	readonly maxCrawlDelay: number;
}

type PolicyAskClient = Pick<AskClient, 'known' | 'request'> & Partial<Pick<AskClient, 'used'>>;

/** The one place that asks whether anything may be done. Every answer comes from `decide`. */
export class PolicyChecker {
	readonly #files: Pick<PolicyFiles, 'load'>;
	readonly #asks: PolicyAskClient;
	readonly #settings: PolicySettings;
	readonly #emit: (event: CrawlEvent) => void;
	readonly #terms = new BoundedMap<Remembered>(rememberedOrigins, rememberedBytes);

	constructor(
		files: Pick<PolicyFiles, 'load'>,
		asks: PolicyAskClient,
		settings: PolicySettings,
		emit: (event: CrawlEvent) => void,
	) {
		this.#files = files;
		this.#asks = asks;
		this.#settings = settings;
		this.#emit = emit;
	}

	/**
	 * May this URL be fetched and used? Reads robots.txt, robots2.txt and what it chains to before the first page of a
	 * site, sets the pace that they ask for, and asks where they want to be asked. The answer is for one action: a
	 * permission that is good for once is spent by it.
	 *
	 * @param as `som`: not the page itself, but what the endpoint named in its robots.txt gives of it; `list`: a
	 * sitemap or the like, which is crawled, and has no content of which a use would be made
	 * @param visit the caller that reports by `used` when the action has begun
	 */
	async check(url: string, slot: HostSlot, as?: 'som' | 'list', visit?: object): Promise<Permit | NotScheduled> {
		const permit = await this.#ask(url, slot, as, visit);
		if (decisions.hasSubscribers && typeof permit !== 'string') decisions.publish(messageOf(url, permit));
		return permit;
	}

	async #ask(
		url: string,
		slot: HostSlot,
		as: 'som' | 'list' | undefined,
		visit: object | undefined,
	): Promise<Permit | NotScheduled> {
		const early = this.#settings.brief && as === undefined ? await this.#forbiddenByRobots(url, slot) : undefined;
		if (early !== undefined) return early;
		const terms = await this.#termsOf(url, slot);
		if (typeof terms === 'string') return terms;
		if (terms.unreachable !== undefined)
			return { permitted: false, revoked: false, ending: terms.unreachable, evidence: [], everywhere: true };
		this.#setPace(slot, terms.pace);
		if (slot.delay > this.#settings.maxCrawlDelay && slot.delay > this.#settings.delay) return tooSlow(slot.delay);
		const input = as === 'som' ? { representation: as } : { list: as === 'list' };
		const permit = this.#judge(terms.prepared, url, input);
		return mustAsk(permit) && this.#settings.asks ? this.#askFor(terms.prepared, url, slot, input, visit) : permit;
	}

	/** The action for which a visit has asked has begun, or will not. */
	used(visit: object): void {
		this.#asks.used?.(visit);
	}

	/** One question after the other, for as long as nothing is denied. */
	async #askFor(
		prepared: PreparedPolicies,
		url: string,
		slot: HostSlot,
		input: DecisionInput,
		visit: object | undefined,
	): Promise<Permit | NotScheduled> {
		let asks = await this.#asks.known(url);
		const asked = new Set<Use>();
		for (;;) {
			const permit = this.#judge(prepared, url, { ...input, asks });
			const directive = mustAsk(permit) ? permit.ask.find((each) => !asked.has(each)) : undefined;
			if (directive === undefined) return permit;
			asked.add(directive);
			const record = await this.#asks.request(directive, url, slot, visit);
			if (typeof record === 'string') return record;
			if (record.answer.decision === 'later') return askLater(record);
			asks = [...asks, record];
		}
	}

	/** The sitemaps that robots.txt names for the origin of a URL, as written; undefined while nothing may be fetched. */
	async sitemaps(url: string, slot: HostSlot): Promise<readonly string[] | undefined> {
		const terms = await this.#termsOf(url, slot);
		return typeof terms === 'string' || terms.unreachable !== undefined ? undefined : terms.sitemaps;
	}

	/** The SOM declaration in robots.txt of an origin; undefined while nothing may be fetched. */
	async som(url: string, slot: HostSlot): Promise<SomDeclaration | NotScheduled | undefined> {
		const terms = await this.#termsOf(url, slot);
		return typeof terms === 'string' ? terms : terms.unreachable === undefined ? terms.som : undefined;
	}

	#setPace(slot: HostSlot, pace: SitePace): void {
		if (!slot.setSitePace(pace)) return;
		this.#emit({ type: 'host', host: slot.host.name, change: 'delay', detail: `${slot.delay / 1000} seconds` });
	}

	#judge(prepared: PreparedPolicies, url: string, input: DecisionInput): Permit {
		const permit = this.#judgeAsWritten(prepared, url, input);
		if (!permit.permitted || !this.#settings.everyReading) return permit;
		const address = readPageUrl(url, defaultReadings);
		if (typeof address === 'string') return permit;
		for (const reading of address.readings) {
			const other = this.#judgeAsWritten(prepared, address.origin + reading, input);
			if (!other.permitted) return other;
		}
		return permit;
	}

	#judgeAsWritten(prepared: PreparedPolicies, url: string, input: DecisionInput): Permit {
		const { uses } = this.#settings;
		const verdicts = (['crawl', ...uses] as const).map((use) => prepared.decide(use, url, input));
		// Not being allowed to keep a page does not forbid reading it.
		const denied = verdicts.filter(
			({ permitted, use, ask }) => !permitted && use !== 'store' && !(input.list && ask?.includes('crawl') === false),
		);
		// A denied use need not be asked for.
		const forbidden = denied.find(({ effect }) => effect !== 'ask') ?? denied[0];
		if (forbidden !== undefined) return forbid(forbidden, isRevoked(prepared), input.asks);
		const store = verdicts.find(({ use }) => use === 'store') ?? prepared.decide('store', url, input);
		const permit: Permitted = {
			permitted: true,
			store: !store.permitted ? 'no' : store.limits?.store === 'session' ? 'session' : 'yes',
			storeEvidence: store.because,
			note: noteOf([
				...verdicts,
				...this.#boundWhenShown(prepared, url, input),
				...this.#statedByPage(prepared, url, input),
			]),
			withPage: (page) => (saysNothing(page) ? permit : this.#judge(prepared, url, { ...input, page })),
		};
		return permit;
	}

	/** Terms for showing the text to people; delivered with it, whichever uses were named. */
	#boundWhenShown(prepared: PreparedPolicies, url: string, input: DecisionInput): Verdict[] {
		return whenShown
			.filter((use) => !this.#settings.uses.includes(use))
			.map((use) => prepared.decide(use, url, input))
			.filter(({ effect }) => effect !== 'allow' && effect !== 'unspecified');
	}

	/** The page's own statements about other uses belong to it, regardless of the use it is read for now. */
	#statedByPage(prepared: PreparedPolicies, url: string, input: DecisionInput): Verdict[] {
		const { page } = input;
		if (page === undefined) return [];
		const others = uses.filter(
			(use) => use !== 'crawl' && !this.#settings.uses.includes(use) && !whenShown.includes(use),
		);
		return others
			.map((use) => prepared.decide(use, url, input))
			.filter(
				({ effect, because }) =>
					effect !== 'allow' && effect !== 'unspecified' && because.some(({ source }) => source === page.source),
			);
	}

	/** Where robots.txt forbids a page and offers no other form of it, no other file can matter. */
	async #forbiddenByRobots(url: string, slot: HostSlot): Promise<Forbidden | NotScheduled | undefined> {
		const robots = await this.#files.load(`${new URL(url).origin}/robots.txt`, slot);
		if (typeof robots === 'string') return robots;
		if (robotsFileState(robots.status) !== 'present') return undefined;
		const file = parseRobots(robots.body).value;
		if (parseSomRecords(file.records).value.target !== undefined) return undefined;
		const prepared = preparePolicies({ robots: { source: robots.source, file } }, this.#settings.agent);
		const verdict = prepared.decide('crawl', url);
		return verdict.permitted ? undefined : { ...forbid(verdict, false), final: true };
	}

	async #termsOf(url: string, slot: HostSlot): Promise<Terms | NotScheduled> {
		const { origin } = new URL(url);
		const robots = await this.#files.load(`${origin}/robots.txt`, slot);
		if (typeof robots === 'string') return robots;
		const robotsState = robotsFileState(robots.status);
		// Nothing else is asked of a site that cannot tell us its rules.
		if (robotsState === 'unreachable')
			return this.#remember(origin, [robots], slot, () => unchained(unreachableTerms('robots', robots)));
		this.#keepCrawlDelay(origin, robots, slot);
		const robots2 = await this.#files.load(`${origin}/robots2.txt`, slot);
		if (typeof robots2 === 'string') return robots2;
		const others: VocabularyFile[] = [];
		for (const vocabulary of fileVocabularies.filter((each) => this.#concerns(each))) {
			const file = await this.#files.load(origin + vocabulary.file.path, slot);
			if (typeof file === 'string') return file;
			others.push({ vocabulary, file });
		}
		if (stateOfRobots2(robots2) === 'unreachable')
			return this.#remember(origin, [robots, robots2], slot, () => unchained(unreachableTerms('robots2', robots2)));
		const files = [robots, robots2, ...others.map(({ file }) => file)];
		return this.#remember(origin, files, slot, () => this.#read(robots, robots2, others, slot));
	}

	/** A crawl delay that was just read holds for the next policy file too. One that is too long ends the visits anyway. */
	#keepCrawlDelay(origin: string, robots: LoadedFile, slot: HostSlot): void {
		const known = this.#terms.get(origin);
		if (known?.files[0] === robots || robotsFileState(robots.status) !== 'present') return;
		const policies = { robots: { source: robots.source, file: parseRobots(robots.body).value } };
		const { crawlDelay } = preparePolicies(policies, this.#settings.agent);
		if (crawlDelay === undefined || crawlDelay * 1000 > this.#settings.maxCrawlDelay) return;
		const rate = known?.terms.unreachable === undefined ? known?.terms.pace.rate : undefined;
		this.#setPace(slot, { crawlDelay, rate });
	}

	/** Whether the file of a vocabulary can matter for a planned use: every page is stored unless a policy forbids it. */
	#concerns({ file }: FileVocabulary): boolean {
		const { uses, agent } = this.#settings;
		return (['crawl', 'store', ...uses] as const).some((use) => file.concerns(use, agent));
	}

	async #remember(
		origin: string,
		files: readonly LoadedFile[],
		slot: HostSlot,
		make: () => ReadTerms | Promise<ReadTerms | Waits>,
	): Promise<Terms | Waits> {
		const known = this.#terms.get(origin);
		const same = known?.files.length === files.length && files.every((file, at) => file === known.files[at]);
		if (known !== undefined && same && (await this.#isSame(known.chain, slot))) return known.terms;
		const read = await make();
		if (typeof read === 'string') return read;
		const chained = read.chain.flatMap(({ file }) => file ?? []);
		const bytes = [...files, ...chained].reduce((sum, { body }) => sum + body.length, 0);
		this.#terms.set(origin, { files, ...read }, bytes);
		return read.terms;
	}

	/** A link that could not be had is asked for again when its time has come, and its rules are in force from then on. */
	async #isSame(chain: readonly ChainLink[], slot: HostSlot): Promise<boolean> {
		for (const { url, file } of chain) if ((await this.#loadLink(url, slot)) !== file) return false;
		return true;
	}

	/** A host whose pause is too long counts as one that does not respond: that ends the chain. */
	async #loadLink(url: string, slot: HostSlot): Promise<LoadedFile | Waits | undefined> {
		const file = await this.#files.load(url, slot);
		return file === 'too-long' ? undefined : file;
	}

	async #read(
		robots: LoadedFile,
		robots2: LoadedFile,
		others: readonly VocabularyFile[],
		slot: HostSlot,
	): Promise<ReadTerms | Waits> {
		const file = robotsFileState(robots.status) === 'present' ? parseRobots(robots.body).value : undefined;
		const chained = await this.#readRobots2(robots2, slot);
		if (typeof chained === 'string') return chained;
		const policies: HostPolicies = {
			robots: file === undefined ? missing(robots) : { source: robots.source, file },
			robots2: chained.policy,
			files: Object.fromEntries(
				others
					.filter(({ file }) => robotsFileState(file.status) === 'present')
					.map(({ vocabulary, file }) => [
						vocabulary.name,
						{ source: file.source, value: vocabulary.file.parse(file.body).value },
					]),
			),
		};
		const prepared = preparePolicies(policies, this.#settings.agent);
		const terms = {
			prepared,
			pace: { crawlDelay: prepared.crawlDelay, rate: prepared.obligations.ratePerMinute },
			sitemaps: file?.sitemaps.map(({ value }) => value) ?? [],
			som: parseSomRecords(file?.records ?? []).value,
		};
		return { terms, chain: chained.links };
	}

	async #readRobots2(
		file: LoadedFile,
		slot: HostSlot,
	): Promise<{ policy: NonNullable<HostPolicies['robots2']>; links: readonly ChainLink[] } | Waits> {
		const links: ChainLink[] = [];
		if (stateOfRobots2(file) === 'none') return { policy: missing(file), links };
		const first = { source: file.source, file: parseRobots2(file.body).value };
		let waits: Waits | undefined;
		const chain = await resolveChain(async (url) => {
			const next = await this.#loadLink(url, slot);
			if (typeof next === 'string') waits = next;
			else links.push({ url, file: next });
			if (typeof next !== 'object' || stateOfRobots2(next) !== 'present') return undefined;
			return { url: next.source, text: next.body };
		}, first);
		return waits ?? { policy: { files: chain.files }, links };
	}
}

/** A web page, regardless of its declared type, or a JSON error is a soft 404. */
function stateOfRobots2({ status, contentType, body }: LoadedFile): FileState {
	const state = robots2FileState(status, contentType);
	const start = Buffer.from(body.subarray(0, 1024)).toString('latin1');
	return state === 'present' && (looksLikeHtml(start) || /^[\s\xef\xbb\xbf]*\{/.test(start)) ? 'none' : state;
}

/** Most pages state no terms: those of their site stand. */
function saysNothing({ headers = [], meta = [], licences = [] }: PageSignals): boolean {
	const fields = Symbol.iterator in headers ? [...headers] : Object.keys(headers);
	return fields.length + meta.length + licences.length === 0;
}

const unchained = (terms: Terms): ReadTerms => ({ terms, chain: [] });

const missing = ({ source, status }: LoadedFile) => ({ source, state: 'none' as const, detail: `HTTP ${status}` });

function unreachableTerms(which: 'robots' | 'robots2', { detail, failure, status }: LoadedFile): Terms {
	// An address that is not to be reached will not be reachable tomorrow.
	if (failure === 'private-address' || failure === 'unsafe-port' || failure === 'no-contact')
		return { unreachable: { outcome: 'failed', reason: failure } };
	return { unreachable: { outcome: 'deferred', reason: `${which}-unreachable`, detail: detail ?? String(status) } };
}

function tooSlow(delay: number): Forbidden {
	const detail = `${delay / 1000} seconds`;
	const ending: Ending = { outcome: 'deferred', reason: 'crawl-delay-too-long', detail };
	return { permitted: false, revoked: false, ending, evidence: [], everywhere: true };
}

/** A page that may not be fetched has no answer of its own that could say it. */
function isRevoked({ effective }: PreparedPolicies): boolean {
	const { store } = effective;
	return store !== undefined && store.value !== 'yes';
}

function mustAsk(permit: Permit): permit is Forbidden & { readonly ask: readonly Use[] } {
	return !permit.permitted && permit.ask !== undefined;
}

/** R2-45: not now is no refusal; a later run asks again. */
function askLater({ directive, source }: AskRecord): Forbidden {
	const ending: Ending = { outcome: 'deferred', reason: 'ask-later', detail: `use: ${directive}` };
	const text = 'the ask endpoint said "not now": asks again later';
	const evidence: Evidence[] = [{ source, line: 0, text, mechanism: 'ask', requirement: 'R2-45' }];
	return { permitted: false, revoked: false, ending, evidence, everywhere: true };
}

function forbid(verdict: Verdict, revoked: boolean, asks: readonly AskRecord[] = []): Forbidden {
	const reason = reasonOf(verdict, asks);
	const ending: Ending = {
		outcome: 'refused',
		reason,
		...(verdict.use !== 'crawl' && { detail: `use: ${verdict.use}` }),
	};
	return {
		permitted: false,
		revoked,
		ending,
		evidence: verdict.because,
		everywhere: false,
		...(verdict.ask && { ask: verdict.ask }),
	};
}

/** The line that forbids names its own reason. */
function reasonOf({ effect, because }: Verdict, asks: readonly AskRecord[]): Reason {
	const [deciding] = because;
	if (deciding?.mechanism === 'robots') return 'robots-disallow';
	if (deciding?.mechanism !== 'robots2') return 'policy-deny';
	if (effect === 'ask') return 'robots2-ask';
	// A line that says `ask` has the answer beside it.
	if (deciding.requirement === 'R2-40') return reasonOfAnswers(asks, because);
	const directive = /^\s*([a-z]+)/i.exec(deciding.text)?.[1]?.toLowerCase() ?? '';
	return robots2Reasons[directive] ?? 'policy-deny';
}

function reasonOfAnswers(asks: readonly AskRecord[], because: readonly Evidence[]): Reason {
	const said = because.find(({ mechanism }) => mechanism === 'ask');
	const answer = asks.find(({ source }) => source === said?.source)?.answer;
	return answer?.decision === 'deny' ? denialReasons[answer.why] : 'ask-out-of-scope';
}

const denialReasons = {
	denied: 'ask-denied',
	'no-endpoint': 'ask-no-endpoint',
	unparseable: 'ask-unreadable',
} as const satisfies Record<string, Reason>;

const robots2Reasons: Readonly<Record<string, Reason>> = {
	disallow: 'robots2-disallow',
	crawl: 'robots2-crawl-no',
	read: 'robots2-read-no',
	rate: 'robots2-rate-zero',
};

/** The terms delivered with a document: intended uses, statements, obligations. */
function noteOf(verdicts: readonly Verdict[]): PolicyNote {
	const uses = Object.fromEntries(verdicts.map(({ use, effect }) => [use, effect])) as Record<Use, Verdict['effect']>;
	const limits = Object.assign({}, ...verdicts.map((verdict) => verdict.limits ?? {}));
	const obligations = verdicts[0]?.obligations ?? {};
	const restrictive = verdicts.filter(
		({ effect, limits: own, because }) =>
			own !== undefined || effect === 'deny' || effect === 'ask' || because.some(isAnswer),
	);
	const because = restrictive.flatMap((verdict) => verdict.because);
	const licences = licencesIn(verdicts);
	return {
		uses,
		...(Object.keys(obligations).length > 0 && { obligations: { ...obligations } }),
		...(Object.keys(limits).length > 0 && { limits }),
		...(because.length > 0 && { because }),
		...(licences.length > 0 && { licences }),
	};
}

/** Each licence reference once: several uses report the same. */
function licencesIn(verdicts: readonly Verdict[]): Evidence[] {
	const said = verdicts.flatMap(({ because, also }) => [...because, ...also]);
	const licences = said.filter(({ mechanism }) => mechanism === 'rsl');
	return [...new Map(licences.map((each) => [`${each.source} ${each.line} ${each.text}`, each])).values()];
}

const isAnswer = ({ mechanism }: Evidence): boolean => mechanism === 'ask';
