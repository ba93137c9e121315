import type { Leases } from '../roles/leases.ts';

/** Methods that a store for one process implements itself. */
export type SingleProcessHosts = Pick<
	Leases,
	'recover' | 'claimHosts' | 'claimHost' | 'releaseHost' | 'stateOf' | 'waitingHosts'
>;

/** Leases for a store that only one process uses at a time: it shares hosts and page limits with no other process. */
export function singleProcessLeases(hosts: SingleProcessHosts): Leases {
	let active = 0;
	return {
		shared: false,
		async recover(at) {
			active = 1;
			await hosts.recover(at);
		},
		assure: async () => undefined,
		claimHosts: (limit, except) => hosts.claimHosts(limit, except),
		claimHost: (name) => hosts.claimHost(name),
		releaseHost: (host) => hosts.releaseHost(host),
		wanted: async () => 0,
		reserve: async (_, wanted) => ({ granted: wanted, exhausted: false }),
		activeWorkers: async () => active,
		stateOf: (host) => hosts.stateOf(host),
		waitingHosts: (limit) => hosts.waitingHosts(limit),
	};
}
