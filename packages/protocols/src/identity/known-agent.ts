import type { AgentCategory } from './agent-identity.ts';

/** An agent that sites meet or address. */
export interface KnownAgent {
	/** The product token in its User-Agent, and in the User-agent lines of robots.txt. */
	readonly token: string;
	/**
	 * Its name in the User-Agent where that has blanks, which no line of robots.txt can carry: `Kangaroo Bot`, whose
	 * `token` is the part that readers of RFC 9309 take from such a line.
	 */
	readonly name?: string;
	/** Undefined if no reliable source states it. */
	readonly operator?: string;
	/**
	 * Its purpose, as a category of robots2.txt; `data-harvester` for training and other bulk collection.
	 * Undefined where none fits, as for previews of shared links: the global policy of a site holds then.
	 */
	readonly category?: AgentCategory;
	/** The page that describes it: of its operator, or, with `listed`, a public list of agents. */
	readonly source?: string;
	/** The source is a public list, as it was read on this day: `2026-11-29`. */
	readonly listed?: string;
	/** URL of the operator's address ranges. */
	readonly ranges?: string;
	/**
	 * Host names to which its addresses resolve: ends that begin with a dot (`.googlebot.com`), or shapes of whole names in
	 * which `*` stands for characters of one label (`rate-limited-proxy-*.google.com`).
	 */
	readonly reverseDns?: readonly string[];
	/** Fetches only when a person asks for it. */
	readonly userTriggered?: true;
	/** Stands in robots.txt only: no request ever carries it, another agent of the operator obeys it. */
	readonly signalOnly?: true;
	/** The operator appends suffixes to the token: `SemrushBot-SA` is SemrushBot. */
	readonly family?: true;
}
