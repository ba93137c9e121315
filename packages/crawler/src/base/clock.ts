import { setTimeout as timeout } from 'node:timers/promises';

/** The time, passed in: tests of manners run on a clock of their own. */
export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Resolves after `ms` milliseconds, or as soon as `signal` is aborted. Never rejects. */
	sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** A timer of Node cannot run longer than this; whoever sleeps looks at the clock again afterwards. */
const maxTimer = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
	now: () => Date.now(),
	sleep: (ms, signal) =>
		timeout(Math.min(ms, maxTimer), undefined, { signal }).then(
			() => undefined,
			() => undefined,
		),
};

/**
 * For pauses: they are as long as they should be when somebody sets the clock of the machine meanwhile. It begins as that
 * one, and stands still while the machine is asleep.
 */
export const steadyClock: Clock = {
	now: () => Math.floor(performance.timeOrigin + performance.now()),
	sleep: systemClock.sleep,
};
