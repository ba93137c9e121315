import { type DecidedRequest, rawTarget } from '../decide/decision.ts';
import { assistantAt } from './assistants.ts';
import type { Served } from './entry.ts';

/** A person came to a page from an assistant. Nothing of the person is in it: neither address nor browser. */
export interface Referral {
	/** The day (UTC); milliseconds since 1970. */
	readonly at: number;
	/** Without its query, which may name a person. */
	readonly path: string;
	/** Name of the assistant. */
	readonly assistant: string;
}

const day = 86_400_000;
const maxPathLength = 500;

/** Whether a person followed a link of an assistant to a page that was served. */
export function referralOf(decided: DecidedRequest, served: Served): Referral | undefined {
	const { purpose, visit, at } = decided;
	if (purpose !== 'other' || visit.method !== 'GET' || served.status !== 200) return undefined;
	const target = rawTarget(decided);
	const assistant = fromReferer(visit.header('referer')) ?? fromCampaign(target);
	if (assistant === undefined || (visit.header('sec-fetch-dest') ?? 'document') !== 'document') return undefined;
	const path = target.replace(/[?#].*$/s, '').slice(0, maxPathLength);
	return { at: Math.floor(at / day) * day, path, assistant };
}

function fromReferer(referer: string | undefined): string | undefined {
	const [, host] = /^https?:\/\/([^/:?#@]+)/i.exec(referer ?? '') ?? [];
	return host === undefined ? undefined : assistantAt(host);
}

/** ChatGPT and others name themselves in the link, since apps send no `Referer`. */
function fromCampaign(target: string): string | undefined {
	const [, source] = /[?&]utm_source=([^&#]+)/.exec(target) ?? [];
	return source === undefined ? undefined : assistantAt(source);
}

/** Different pages and assistants that one process counts apart in a day, at most: links can be made up. */
const maxPairs = 5000;
export const otherPages = '(further pages)';

/** Daily counts of referrals that wait to be written. */
export class ReferralCounter {
	#day = 0;
	readonly #pairs = new Set<string>();
	#counts = new Map<string, { readonly referral: Referral; visits: number }>();

	add(referral: Referral): void {
		if (referral.at !== this.#day) this.#pairs.clear();
		this.#day = referral.at;
		const pair = `${referral.assistant} ${referral.path}`;
		const isKnown = this.#pairs.has(pair);
		const counted = isKnown || this.#pairs.size < maxPairs ? referral : { ...referral, path: otherPages };
		if (counted === referral) this.#pairs.add(pair);
		const key = `${counted.at} ${counted.assistant} ${counted.path}`;
		const known = this.#counts.get(key);
		if (known === undefined) this.#counts.set(key, { referral: counted, visits: 1 });
		else known.visits++;
	}

	get size(): number {
		return this.#counts.size;
	}

	/** What has been counted since the last call. */
	take(): (Referral & { readonly visits: number })[] {
		const taken = [...this.#counts.values()].map(({ referral, visits }) => ({ ...referral, visits }));
		this.#counts = new Map();
		return taken;
	}
}
