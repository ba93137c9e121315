import type { HostRecord } from '../roles/leases.ts';

export interface HostRow {
	id: number;
	name: string;
	next_at: number;
	https: number;
	delay: number;
	/** The time when it was read, by the clock that `next_at` is of. */
	now: number;
}

/** @param own the time by our own clock */
export function toHost({ id, name, next_at, https, delay, now }: HostRow, own: number): HostRecord {
	return { id, name, nextAt: own + next_at - now, https: https === 1, delay };
}
