import { expect, it } from 'vitest';
import type { HostRecord, Leases } from '../store/roles/leases.ts';
import { Hosts } from './hosts.ts';

const record: HostRecord = { id: 1, name: 'h.test', nextAt: 0, https: false };
const pace = () => ({ delay: 0, own: true, connections: 1 });

it('a host that this process is about to be given for its own URLs is held by whoever wants it meanwhile', async () => {
	let tell = (_: HostRecord[]) => {};
	const told = new Promise<HostRecord[]>((resolve) => {
		tell = resolve;
	});
	const released: string[] = [];
	const leases = {
		shared: false,
		// The store has given the host away, and its answer is still under way.
		claimHosts: () => told,
		claimHost: async () => undefined,
		async releaseHost({ name }: HostRecord) {
			released.push(name);
		},
	} as unknown as Leases;
	const hosts = new Hosts(leases, pace);
	const waiting = hosts.claimWaiting(10, []);
	const wanted = hosts.hold('h.test');
	await new Promise(setImmediate);
	tell([record]);
	const [slot] = await waiting;
	expect(slot?.host).toBe(record);
	expect(await wanted).toBe(slot);
	await hosts.release(slot!);
	expect(released).toEqual([]);
	await hosts.release(slot!);
	expect(released).toEqual(['h.test']);
});

it('a host that another process has is not held, whatever is claimed meanwhile', async () => {
	const leases = { shared: true, claimHosts: async () => [], claimHost: async () => undefined } as unknown as Leases;
	const hosts = new Hosts(leases, pace);
	const waiting = hosts.claimWaiting(10, []);
	expect(await hosts.hold('h.test')).toBeUndefined();
	expect(await waiting).toEqual([]);
});
