import type { DocumentFetcherOptions } from '@wayleave/crawler';
import { publicResolvers } from '../defaults/index.ts';

/** The operator's settings of a service. Times are milliseconds, sizes bytes. */
export interface ServiceOptions {
	/** Documents, keys and everything else: `sqlite:FILE` or `memory`. Default `memory`. */
	readonly store?: string;
	/** Public URL of the service, such as `https://index.example`; default: responses have relative references. */
	readonly publicUrl?: string;
	/** Host names for callers without a key, and for browsers, in addition to those of loopback and `publicUrl`. */
	readonly allowHosts?: readonly string[];
	/** No request needs a key. Only on the loopback: `listen` refuses anything else. Default false. */
	readonly open?: boolean;
	/** How the crawler behaves: identity, uses, pace, hosts that may be private, resolver. */
	readonly fetching?: Omit<DocumentFetcherOptions, 'store' | 'concurrency' | 'signal'>;
	/** A stored document is given without asking for so long; then the site is asked whether it has changed. */
	readonly maxAge?: number;
	/** Longest wait of a caller for one document. */
	readonly timeLimit?: number;
	/** Requests in flight to all sites together. */
	readonly concurrency?: number;
	/** Documents of one caller that are on their way at a time. */
	readonly perCaller?: number;
	/** Documents of all callers that are on their way at a time: fetched, or waiting for their host. */
	readonly inFlight?: number;
	/** Submissions of one caller that wait. */
	readonly maxSubmissions?: number;
	/** Most URLs in one batch. */
	readonly maxUrls?: number;
	/** DNS servers that are asked for proofs of domains, with a port where it is not 53. Default: three public ones. */
	readonly resolvers?: readonly string[];
	/** HTTPS port of domains to verify. Default 443. */
	readonly proofPort?: number;
	/** Addresses and ranges from which requests go out, as they are published; `ADDRESS` or `PREFIX/LENGTH`. */
	readonly egress?: readonly string[];
	/** Name of the operator, for the page about the crawler. */
	readonly operator?: string;
	/** How the operator is reached: an address of mail or of a page. */
	readonly contact?: string;
	/** Largest request body; ten times as much for a batch. */
	readonly bodyLimit?: number;
}

type Open = 'publicUrl' | 'proofPort' | 'operator' | 'contact';

export type ServiceConfig = Readonly<Required<Omit<ServiceOptions, Open>>> & Pick<ServiceOptions, Open>;

const day = 24 * 60 * 60 * 1000;

export const defaultConfig: ServiceConfig = {
	store: 'memory',
	allowHosts: [],
	open: false,
	fetching: {},
	// As long as the terms of a site may be kept (RFC 9309 §2.4): no copy is given on terms older than that.
	maxAge: day,
	timeLimit: 120_000,
	concurrency: 64,
	perCaller: 32,
	inFlight: 512,
	maxSubmissions: 10_000,
	maxUrls: 1000,
	resolvers: publicResolvers,
	egress: [],
	bodyLimit: 64 << 10,
};

/** Options with everything decided. A service that the world knows speaks for its own crawler. */
export function readConfig(options: ServiceOptions = {}): ServiceConfig {
	const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
	const config: ServiceConfig = { ...defaultConfig, ...given };
	if (config.publicUrl === undefined) return config;
	const { origin } = new URL(config.publicUrl);
	const { identity = {} } = config.fetching;
	const own = {
		botUrl: `${config.publicUrl.replace(/\/+$/, '')}/bot`,
		...(identity.signingKey !== undefined && { keyDirectory: origin }),
	};
	return { ...config, fetching: { ...config.fetching, identity: { ...own, ...identity } } };
}
