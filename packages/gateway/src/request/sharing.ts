import type { Rate } from '@wayleave/io/rate';
import type { PermissionName } from '@wayleave/protocols/robots2';
import type { ClientMemory, ClientState, Grant } from './client-memory.ts';

/** Limits that hold for all gateways of a site together. */
export type LimitName =
	| 'files'
	| 'ask'
	| 'pages'
	| 'searchEngines'
	| 'unknown'
	| 'assistant'
	| 'anonymous'
	| 'refusals';

/**
 * The outcome of spending a permission for one use: `gone` where another gateway spent it, `unreachable` where the
 * store could not say.
 */
export type Spent = 'spent' | 'gone' | 'unreachable';

/** The answer to an ask, for the other gateways. */
export interface SharedAnswer {
	readonly directive: PermissionName;
	/** Undefined: the answer was no. */
	readonly grant: Grant | undefined;
	/** Seconds that it holds. */
	readonly holds: number;
}

/** State that several gateways of one site have in common. Nothing here waits on the way of a request, unless it says so. */
export interface Sharing {
	/** Undefined until the store was read for the first time: then agents wait. */
	readonly readAt: number | undefined;
	/** A limit on all gateways together: returns milliseconds to wait; 0: go on, and one request is spent. */
	limit(name: LimitName, rate: Rate): (client: string) => number;
	/** The memory that the store adds to. */
	attach(memory: ClientMemory): void;
	/** The state of a client has changed. */
	changed(client: string, state: ClientState): void;
	/** Stores the answer to an ask; resolves to false where the store could not be reached: then others do not know it. */
	answered(client: string, answer: SharedAnswer): Promise<boolean>;
	/** Waits until everything that other gateways stored before now is known here. False: the store cannot be reached. */
	refresh(): Promise<boolean>;
	/** Spends a permission for one use, of all gateways together. Waits for the store. */
	spend(grant: Grant): Promise<Spent>;
	/** The use did not begin after all. */
	giveBack(grant: Grant): void;
}
