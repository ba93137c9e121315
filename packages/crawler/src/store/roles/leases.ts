export interface HostRecord {
	readonly id: number;
	/** Host name without port. */
	readonly name: string;
	/** No request before this moment; milliseconds since 1970. The last one had ended `delay` before it, or earlier. */
	nextAt: number;
	/** The host wants https (AWI-78). */
	https: boolean;
	/** Milliseconds between two requests, as far as known. */
	delay?: number;
	/** Another database has its URLs: it may be asked for a file, and is not visited. */
	readonly guest?: true;
}

/** A host as a reader sees it. Times are RFC 3339. */
export interface HostState {
	readonly name: string;
	/** No request before this time. */
	readonly nextAt: string;
	/** Whether a crawl is visiting it. */
	readonly held: boolean;
	/** Whether a crawl that was killed visited it: the next crawl resumes it. */
	readonly abandoned?: true;
	/** URLs that wait. */
	readonly waiting: number;
}

/** A host with URLs that wait, or that a run has put off to a later run. */
export interface WaitingHost extends Omit<HostState, 'name' | 'waiting'> {
	readonly host: string;
	readonly count: number;
	/** Those that a run has put off (`deferred`); the next one tries them again. */
	readonly deferred: number;
}

/** The part of the leases that a reader needs. */
export interface LeasesReader {
	/** How many workers are using the store. */
	activeWorkers(): Promise<number>;
	stateOf(host: string): Promise<HostState | undefined>;
	/** The hosts with the most URLs to visit. */
	waitingHosts(limit: number): Promise<WaitingHost[]>;
}

/** Hosts and the workers that hold them. `singleProcessLeases` builds these for a store of one process. */
export interface Leases extends LeasesReader {
	/** Whether several processes may use the store at a time, each on its own hosts. */
	readonly shared: boolean;
	/**
	 * Takes back the hosts of workers that died. Their clocks start from the last time at which such a worker may have sent
	 * a request. A shared store goes on doing so, and calls `onFreed` when hosts may have become free. If no other worker is
	 * active, failed fetches of policy files are forgotten, so that they are tried again.
	 */
	recover(at: number, onFreed?: () => void): Promise<void>;
	/**
	 * Resolves when the held hosts are ours for long enough to send another request. The signal is aborted when requests
	 * in flight have to end, because another worker may soon take the hosts.
	 *
	 * @throws CrawlError `lease-lost`
	 */
	assure(): Promise<AbortSignal | undefined>;
	/**
	 * Takes up to `limit` free hosts that have URLs waiting, earliest clock first.
	 *
	 * @param except numbers of hosts to leave to other workers
	 */
	claimHosts(limit: number, except?: readonly number[]): Promise<HostRecord[]>;
	/**
	 * Takes one host by name, known or not; undefined if another worker holds it.
	 *
	 * @param forFile whether a host whose URLs are in another database will do; default false
	 */
	claimHost(name: string, forFile?: boolean): Promise<HostRecord | undefined>;
	/** Gives a host back, with its clock. */
	releaseHost(host: HostRecord): Promise<void>;
	/** How many hosts other workers could visit now. */
	wanted(): Promise<number>;
	/**
	 * Reserves up to `wanted` of the `most` documents that the run may bring; a negative number gives reservations back.
	 * `exhausted`: the run has brought that many.
	 */
	reserve(most: number, wanted: number): Promise<{ readonly granted: number; readonly exhausted: boolean }>;
}
