import {
	createFetcher,
	createResolver,
	type Fetcher,
	fileRangeStore,
	isContact,
	KeyDirectories,
	type ProxyFor,
	RangeLists,
	RequestVerifier,
	type Resolver,
	ReverseDns,
} from '@wayleave/io';
import type { Config } from '../config/schema.ts';
import { IdentityChecker, type IdentityCheckerOptions, identityOptions } from './identity-checker.ts';

export interface OpenIdentityCheckerOptions extends Pick<IdentityCheckerOptions, 'wait'> {
	readonly config: { readonly origin: string; readonly identity: Config['identity'] };
	/** With it lists and key directories are fetched; begins with `AIWebIndex/2.0`. */
	readonly userAgent: string;
	/** Where lists outlive a restart. Default: nowhere. */
	readonly rangesDirectory?: string;
	/** For requests to lists and key directories. Default: none. */
	readonly proxy?: ProxyFor;
	/** Default: a guarded one of its own. */
	readonly fetcher?: Fetcher;
	/** Default: the servers of the system, two seconds for a look-up. */
	readonly resolver?: Resolver;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
}

/** A checker at work, with the lists that it polls. */
export interface OpenIdentityChecker {
	readonly checker: IdentityChecker;
	/** Undefined where ranges are not checked. */
	readonly lists: RangeLists | undefined;
	/** Ends polling and what is under way. */
	close(): Promise<void>;
}

/**
 * Opens what the policy file asks for under `identity`, and begins to poll the lists of all known agents.
 *
 * @throws TypeError when a trusted proxy is no address and no range.
 */
export function openIdentityChecker(options: OpenIdentityCheckerOptions): OpenIdentityChecker {
	const { config, userAgent, rangesDirectory, now = Date.now } = options;
	const { origin, identity } = config;
	const fetcher =
		options.fetcher ??
		createFetcher({
			userAgent,
			...(options.proxy && { proxy: options.proxy }),
			// A site on this machine names nobody who could be reached from outside.
			...(!isContact(`${origin}/`) && { unintroduced: () => false }),
		});
	const store = rangesDirectory === undefined ? {} : { store: fileRangeStore(rangesDirectory) };
	const lists = identity.verify.ranges ? new RangeLists({ fetcher, now, ...store }) : undefined;
	const resolver = options.resolver ?? createResolver({ timeout: 2000 });
	const reverseDns = identity.verify.reverseDns ? new ReverseDns({ resolver, now }) : undefined;
	const { host } = new URL(origin);
	const signatures = identity.verify.signatures
		? new RequestVerifier({
				directories: new KeyDirectories({ fetcher, now }),
				authorities: [host, ...identity.authorities.map((each) => each.toLowerCase())],
				now: () => Math.floor(now() / 1000),
			})
		: undefined;
	const { wait } = options;
	const checker = new IdentityChecker({
		...identityOptions(identity),
		origin: new URL(origin).origin,
		...(wait !== undefined && { wait }),
		...(lists !== undefined && { lists }),
		...(reverseDns !== undefined && { reverseDns }),
		...(signatures !== undefined && { signatures }),
	});
	lists?.start();
	return {
		checker,
		lists,
		async close() {
			lists?.close();
			if (options.fetcher === undefined) await fetcher.close();
		},
	};
}
