import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../store/roles/store.ts';

/** Does a call of a store, sooner or later. */
export type Around = (method: string, args: readonly unknown[], call: () => Promise<unknown>) => Promise<unknown>;

/** What is given piece by piece, and not by a promise. */
const streams = new Set<string | symbol>(['results', 'emitted']);

/** A store whose calls pass `around`, those of its roles too. */
export function aroundStore(store: Store, around: Around): Store {
	return passing(store, around, {
		frontier: passing(store.frontier, around),
		pages: passing(store.pages, around),
		policies: passing(store.policies, around),
		changes: passing(store.changes, around),
		leases: passing(store.leases, around),
	});
}

function passing<Whole extends object>(whole: Whole, around: Around, instead: Partial<Whole> = {}): Whole {
	return new Proxy(whole, {
		get(target, name) {
			if (Object.hasOwn(instead, name)) return instead[name as keyof Whole];
			const value: unknown = Reflect.get(target, name, target);
			if (typeof value !== 'function') return value;
			if (streams.has(name)) return value.bind(target);
			return (...args: unknown[]) => around(String(name), args, () => value.apply(target, args));
		},
	});
}

/** Milliseconds by which an answer is late at most. */
const latest = 120;

/** A store whose answers are late, each by another time. */
export const lateStore = (store: Store, random: () => number): Store =>
	aroundStore(store, async (_, __, call) => {
		try {
			return await call();
		} finally {
			await sleep(random() * latest);
		}
	});
