import type { Evidence, Mechanism } from '../evidence.ts';
import type { RobotsFile } from '../robots/index.ts';
import type { AskAnswer, HeaderFields, PermissionName, Robots2Source, shortQuoteWords } from '../robots2/index.ts';
import type { Use } from './uses.ts';
import type { VocabularyName } from './vocabularies/names.ts';

export type { Use } from './uses.ts';

/** A site's statement about a use. `limited`: yes, within `limits`. `unspecified`: there is no statement. */
export type Effect = 'allow' | 'deny' | 'ask' | 'limited' | 'unspecified';

/** Limits of an allowed use. */
export interface Limits {
	/** Source words in one quote, at most (`quote: short-only`). */
	readonly quoteWords?: typeof shortQuoteWords;
	/** Nothing may outlive the session (`store: session-only`). */
	readonly store?: 'session';
	/** The pictures of the page are not included (`noimageai`). */
	readonly images?: false;
	/** The permission is spent by this use of this URL (`allow-once`). */
	readonly once?: true;
}

/** Obligations of an agent, for any use. */
export interface Obligations {
	readonly attribution?: 'required' | 'preferred';
	readonly linkBack?: 'required' | 'preferred';
	/** `X-Agent-Identity` has to be sent. */
	readonly announce?: true;
	readonly ratePerMinute?: number;
}

/** The answer to one question: may this agent put this URL to this use? */
export interface Verdict {
	readonly effect: Effect;
	readonly use: Use;
	/**
	 * Whether to go ahead now: `allow` and `limited` yes, `deny` and `ask` no, and `unspecified`
	 * no for train, monetise, personalise, derivative and compete where there is a robots2.txt, else yes.
	 */
	readonly permitted: boolean;
	/** Only with the effect `ask`: the directives to ask for. */
	readonly ask?: readonly PermissionName[];
	readonly limits?: Limits;
	readonly obligations: Obligations;
	/** The lines that decide: at most 100, each cut after 500 characters. */
	readonly because: readonly Evidence[];
	/** The lines about this use that do not decide: at most 100, strictest first if there are more. */
	readonly also: readonly Evidence[];
	/** Each a line that forbids and a line that allows the same use, one pair for each two places that disagree. */
	readonly contradicts: readonly (readonly Evidence[])[];
	/** Number of further lines and pairs; absent when all are here. */
	readonly omitted?: number;
}

/** An agent that wants to use a page. */
export interface Agent {
	/** The product token that groups of robots.txt are matched against. */
	readonly token: string;
	/** The implementation: where a group or section names it, that must permit too. */
	readonly name?: string;
	/** Further names that it gives: where a group or section names one, that must permit too. */
	readonly otherNames?: readonly string[];
	/** Its roles in the words of robots2.txt; with several, each must be permitted. */
	readonly categories?: readonly string[];
	/** The market of the business that runs it, for `compete`. */
	readonly operatorMarket?: string;
	/**
	 * Tokens that never fetch, by which sites say what the operator may do with what this agent has fetched:
	 * `Google-Extended` for Googlebot.
	 */
	readonly usageTokens?: readonly string[];
	/** It answers the query of a user; by default when it is an `ai-assistant` and nothing else. */
	readonly servesUser?: boolean;
	/** Its stored pages become a corpus for mining (TDMRep); by default for a `data-harvester` and without a category. */
	readonly buildsCorpus?: boolean;
}

/** A policy file that could not be read. `none`: the site has none. `unreachable`: it may have one. */
export interface MissingFile {
	readonly source: string;
	readonly state: 'none' | 'unreachable';
	/** For people: `HTTP 403`, `DNS failure`. */
	readonly detail?: string;
}

/** A decision of the ask endpoint (`buildAskRequest`, `readAskResponse`). Leave out expired ones. */
export interface AskRecord {
	readonly directive: PermissionName;
	readonly answer: AskAnswer;
	/** The URL that was asked. */
	readonly source: string;
	/** The one URL that an `allow-once` was asked for. */
	readonly url?: string;
}

/** A rule of the operator. It counts like any other statement: an `allow` fills silence and overrides nothing. */
export interface OperatorRule {
	readonly uses: readonly Use[] | 'all';
	readonly effect: 'allow' | 'deny';
	/** Product tokens, names or categories; everybody when absent. */
	readonly agents?: readonly string[];
	/** A path pattern of RFC 9309; every URL when absent. */
	readonly path?: string;
	readonly source: string;
	readonly line: number;
	readonly text: string;
}

/** A reference to licence terms that are reported but not read (RSL). */
export interface LicenceReference {
	readonly url: string;
	readonly source: string;
	readonly line: number;
	readonly text: string;
}

/** One `<meta name content>`. */
export interface MetaTag {
	readonly name: string;
	readonly content: string;
	readonly line?: number;
}

/** Signals in one response. */
export interface PageSignals {
	/** The URL of the page. */
	readonly source: string;
	readonly headers?: HeaderFields;
	readonly meta?: readonly MetaTag[];
	/** `<link rel="license" type="application/rsl+xml">`. */
	readonly licences?: readonly LicenceReference[];
}

/** A file of a vocabulary. */
export interface VocabularyFile {
	readonly source: string;
	/** The value that its parser returned. */
	readonly value: unknown;
}

/** The policy files of a host. Files left out count as missing. */
export interface HostPolicies {
	readonly robots?: { readonly source: string; readonly file: RobotsFile } | MissingFile;
	/** The first file and what it chains to (`resolveChain`). */
	readonly robots2?: { readonly files: readonly Robots2Source[] } | MissingFile;
	/** The files of vocabularies, parsed. */
	readonly files?: Readonly<Partial<Record<VocabularyName, VocabularyFile>>>;
	readonly asks?: readonly AskRecord[];
	readonly operator?: readonly OperatorRule[];
}

/** All that is known about the terms of a page. */
export interface Policies extends HostPolicies {
	readonly page?: PageSignals;
}

/** One voice in a decision. */
export interface Statement {
	/** `silent`: it is reported, or limits, but neither permits nor forbids. */
	readonly effect: 'allow' | 'deny' | 'ask' | 'silent';
	readonly evidence: Evidence;
	readonly limits?: Limits;
	/** With `ask`: the directive. */
	readonly directive?: PermissionName;
	/** It is about fetching the URL, whatever for. The path pattern of its rule says how specific it is. */
	readonly access?: { readonly pattern?: string | undefined };
}

export type { Evidence, Mechanism };
