import { setTimeout as timeout } from 'node:timers/promises';

/** The time, passed in: tests of manners run on a clock of their own. */
export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Resolves after `ms` milliseconds, or as soon as `signal` is aborted. Never rejects. */
	sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Longest timer of Node; a longer sleep checks the clock again afterwards. */
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
 * For pauses: setting the clock of the machine does not change their length. Begins with the time of that clock, and
 * stops while the machine is asleep.
 */
export const steadyClock: Clock = {
	now: () => Math.floor(performance.timeOrigin + performance.now()),
	sleep: systemClock.sleep,
};
