// Distributions of the simulated web. `measured` names the file of this repository with the measurement; the rest are
// assumptions, each with the literature that it leans on.

export interface Distributions {
	/** Pages of a host: a power law between 1 and `most`. */
	readonly hostSize: { readonly exponent: number; readonly most: number };
	/** Milliseconds from a request to the end of its response: log-normal. */
	readonly latency: { readonly median: number; readonly sigma: number };
	/** Links of a page to known pages: of its own host, and of others. */
	readonly knownLinks: number;
	/** Share of requests. */
	readonly notFound: number;
	readonly serverError: number;
	readonly timeout: number;
	/** Share of hosts. */
	readonly down: number;
	readonly crawlDelay: { readonly share: number; readonly seconds: number };
	readonly hasRobots: number;
	/** Mean days between two changes of a page: shares of pages, which add up to 1. */
	readonly changes: readonly (readonly [share: number, days: number])[];
	/** Milliseconds of processor that a worker spends on a page. */
	readonly pageWork: number;
}

export const usual: Distributions = {
	// Huberman and Adamic, "Growth dynamics of the World-Wide Web" (1999): sizes of sites follow a power law with exponents
	// of 1.65 to 1.91. The cap is a choice: crawlers limit the pages of a host.
	hostSize: { exponent: 1.8, most: 1000 },
	// Assumption, of the order of the HTTP Archive's times to first byte.
	latency: { median: 250, sigma: 0.9 },
	knownLinks: 5,
	// Assumption: Common Crawl reports a few per cent of 404 among fetches of known URLs.
	notFound: 0.04,
	serverError: 0.01,
	timeout: 0.005,
	down: 0.01,
	// Assumption: Crawl-delay is rare in surveys of robots.txt; ten seconds is its most frequent value.
	crawlDelay: { share: 0.02, seconds: 10 },
	hasRobots: 0.7,
	// Cho and Garcia-Molina, "The Evolution of the Web and Implications for an Incremental Crawler" (VLDB 2000): a fifth
	// of pages changes daily, and a third does not change within four months.
	changes: [
		[0.2, 1],
		[0.15, 5],
		[0.15, 20],
		[0.2, 80],
		[0.3, 1000],
	],
	// measured: bench/results/scale.md, a whole crawl of pages of 49 kB with PostgreSQL on the same cores.
	pageWork: 12,
};

/** Seconds of one core of PostgreSQL, measured by `npm run database-costs` (bench/results/scale.md). */
export const databaseCosts = { page: 0.0035, claim: 0.0025, emptyClaim: 0.00095, look: 0.0002, read: 0.00023 };
