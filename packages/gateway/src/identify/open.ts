import { createResolver, type Resolver, ReverseDns } from '@wayleave/io/dns';
import { createFetcher, type Fetcher, isContact, type ProxyFor } from '@wayleave/io/http';
import { fileRangeStore, RangeLists } from '@wayleave/io/ranges';
import { KeyDirectories, RequestVerifier } from '@wayleave/io/signatures';
import type { Config } from '../config/schema.ts';
import { IdentityChecker, type IdentityCheckerOptions, identityOptions } from './identity-checker.ts';
import { createProbedResolver } from './probed-resolver.ts';

export interface OpenIdentityCheckerOptions extends Pick<IdentityCheckerOptions, 'wait'> {
	readonly config: { readonly origin: string; readonly identity: Config['identity'] };
	/** With it lists and key directories are fetched; begins with `AIWebIndex/2.0`. */
	readonly userAgent: string;
	/** Keeps lists over restarts. Default: none. */
	readonly rangesDirectory?: string;
	/** A note for the operator, in one line. */
	readonly onNote?: (text: string) => void;
	/** For requests to lists and key directories. Default: none. */
	readonly proxy?: ProxyFor;
	/** Default: a guarded one of its own. */
	readonly fetcher?: Fetcher;
	/** DNS servers to query. Default: those of the system. */
	readonly resolvers?: readonly string[];
	/** Replaces the DNS client for `resolvers`, which times out after two seconds. */
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
 * @throws TypeError when a trusted proxy is neither an address nor a range.
 */
export function openIdentityChecker(options: OpenIdentityCheckerOptions): OpenIdentityChecker {
	const { config, userAgent, rangesDirectory, resolvers: servers, now = Date.now } = options;
	const { origin, identity } = config;
	const fetcher =
		options.fetcher ??
		createFetcher({
			userAgent,
			...(options.proxy && { proxy: options.proxy }),
			// A site on this machine has no contact that can be reached from outside.
			...(!isContact(`${origin}/`) && { unintroduced: () => false }),
		});
	const store = rangesDirectory === undefined ? {} : { store: fileRangeStore(rangesDirectory) };
	const { wait = { dns: identity.wait }, onNote = () => {} } = options;
	let isStarted = false;
	const lists = identity.verify.ranges
		? new RangeLists({
				fetcher,
				now,
				...store,
				allowBroad: identity.broadLists,
				onFault: ({ url, fault }) => {
					if (isStarted) onNote(`the address list ${url} is not usable (${fault}): the last valid list stays in use`);
				},
			})
		: undefined;
	const resolver =
		options.resolver ?? createProbedResolver(createResolver({ timeout: 2000, ...(servers && { servers }) }), now);
	const reverseDns = identity.verify.reverseDns ? new ReverseDns({ resolver, now }) : undefined;
	const { host } = new URL(origin);
	const signatures = identity.verify.signatures
		? new RequestVerifier({
				directories: new KeyDirectories({ fetcher, now }),
				authorities: [host, ...identity.authorities.map((each) => each.toLowerCase())],
				now: () => Math.floor(now() / 1000),
			})
		: undefined;
	const checker = new IdentityChecker({
		...identityOptions(identity),
		origin: new URL(origin).origin,
		wait,
		onNote,
		...(lists !== undefined && { lists }),
		...(reverseDns !== undefined && { reverseDns }),
		...(signatures !== undefined && { signatures }),
	});
	lists?.start();
	void lists?.firstRound.then(() => {
		isStarted = true;
		const text = missingLists(lists);
		if (text !== undefined) onNote(text);
	});
	return {
		checker,
		lists,
		async close() {
			lists?.close();
			if (options.fetcher === undefined) await fetcher.close();
		},
	};
}

/** Says which lists could not be had, and what follows; undefined where all are there. */
export function missingLists(lists: RangeLists): string | undefined {
	const statuses = lists.statuses();
	const missing = statuses.filter(({ ranges }) => ranges === undefined);
	const [first] = missing;
	if (first === undefined) return undefined;
	const read = statuses.length - missing.length;
	const { fault = 'not fetched yet' } = first;
	const why = fault.startsWith('no-contact')
		? 'the origin in the policy file is not a public address, so no operator is asked in its name'
		: fault;
	const follows =
		read === 0 ? 'agents cannot be verified by address' : 'agents of the others cannot be verified by address';
	return `${read} of ${statuses.length} address lists could be fetched (${first.url}: ${why}): ${follows}, and count as unverified`;
}
