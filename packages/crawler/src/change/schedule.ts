import type { Ending } from '../model/outcome.ts';
import { defaultRevisit, type RevisitRules, urgency } from '../model/revisit.ts';
import type { Outlook } from '../store/roles/changes.ts';
import { type Decision, isSettled, keepCurrent } from './decide.ts';

/** Options of a cycle, from `every` and `budget`. */
export interface ScheduleOptions {
	/** From the beginning of one cycle to that of the next; milliseconds. */
	readonly every: number | undefined;
	/** Requests for pages of one host in one cycle. */
	readonly budget: number | undefined;
}

/** One that is about to be asked for. */
export interface Candidate {
	readonly host: number;
	readonly seed: boolean;
	readonly outlook: Outlook;
	/** Whether the dates that sitemaps and feeds of the site give have proved right. */
	readonly hintsHold: boolean;
}

/** Gives the urgency of the last page that a host has room for; see `ChangeRecords.urgencyOfLast`. */
type UrgencyOfLast = (host: number, horizon: number, now: number, most: number) => Promise<number>;

/** Chooses the pages to check in one cycle: due ones, the most urgent first. */
export class Schedule {
	readonly rules: RevisitRules;
	readonly #budget: number;
	readonly #startedAt: number;
	readonly #horizon: number;
	readonly #urgencyOfLast: UrgencyOfLast;
	/** By host: requests made, and the urgency that it takes to be among those that can be made. */
	readonly #hosts = new Map<number, { spent: number; least: Promise<number> | undefined }>();

	constructor({ every, budget }: ScheduleOptions, startedAt: number, urgencyOfLast: UrgencyOfLast) {
		this.rules = { ...defaultRevisit, ...(every !== undefined && { first: every }) };
		this.#budget = budget ?? Number.POSITIVE_INFINITY;
		this.#startedAt = startedAt;
		// A page belongs to the cycle nearest to its time, which may come a moment after that cycle has passed it.
		this.#horizon = startedAt + (every ?? 0) / 2;
		this.#urgencyOfLast = urgencyOfLast;
	}

	/** Accepts or defers a decision to check a page. */
	async admit(decision: Decision, candidate: Candidate): Promise<Decision> {
		const { former } = candidate.outlook;
		if (!decision.request) return decision;
		if (decision.why === 'ordinary' && former !== undefined && !this.#isDue(candidate))
			return keepCurrent(former, 'not-due');
		const first = decision.why === 'manifest' || former === undefined || isAnnounced(candidate);
		if (await this.#spend(candidate, first)) return decision;
		if (former === undefined) return putOff;
		if (decision.why === 'audit') return keepCurrent(former, 'manifest');
		return isSettled(former) ? keepCurrent(former, 'budget-spent') : putOff;
	}

	#isDue(candidate: Candidate): boolean {
		const { former, history } = candidate.outlook;
		if (candidate.seed || history === undefined || former === undefined || !isSettled(former)) return true;
		return history.nextAt <= this.#horizon || isAnnounced(candidate);
	}

	/** @param first comes before whatever is due only by its time */
	async #spend({ host, seed, outlook: { history } }: Candidate, first: boolean): Promise<boolean> {
		if (this.#budget === Number.POSITIVE_INFINITY) return true;
		const account = this.#accountOf(host);
		if (!first && !seed && history !== undefined) {
			account.least ??= this.#urgencyOfLast(host, this.#horizon, this.#startedAt, this.#budget);
			if (urgency(history, this.#startedAt) < (await account.least)) return false;
		}
		if (account.spent >= this.#budget) return false;
		account.spent++;
		return true;
	}

	#accountOf(host: number) {
		let account = this.#hosts.get(host);
		if (account === undefined) {
			account = { spent: 0, least: undefined };
			this.#hosts.set(host, account);
		}
		return account;
	}
}

const putOff: Decision = { request: false, ending: { outcome: 'deferred', reason: 'budget-spent' } };

/** A sitemap or a feed says that the page has changed since. */
export function isAnnounced({ outlook: { history }, hintsHold }: Pick<Candidate, 'outlook' | 'hintsHold'>): boolean {
	return hintsHold && history?.hintedAt !== undefined && history.hintedAt > history.checkedAt;
}

/** Whether a look that ended so has seen a change; undefined when it could not tell. */
export function lookOf({ outcome, reason }: Ending): boolean | undefined {
	if (outcome === 'fetched') return reason !== 'redirected';
	if (outcome === 'gone') return false;
	return outcome === 'unchanged' && (reason === 'not-modified' || reason === 'same-content') ? false : undefined;
}
