import { expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';
import { InFlightFetch, type PendingCall } from './in-flight-fetch.ts';

const pending: PendingCall = { lane: 'a', refresh: false, som: false };

/** A fetch in progress that never ends by itself. */
function underWay() {
	const queue = new FairQueue({ inFlight: 4, perCaller: 4 });
	const flight = new InFlightFetch(queue, 'h.test', () => new Promise(() => {}));
	const join = (lane: string, cancels: boolean) => {
		let leave = (_: Error): void => {};
		const left = new Promise<never>((_, reject) => {
			leave = reject;
		});
		const joined = flight.join({ ...pending, lane }, left, () => cancels).catch(() => 'left');
		return async () => {
			leave(new Error('left'));
			await joined;
		};
	};
	return { flight, join };
}

it('ends when the last caller cancels, and accepts no caller afterwards', async () => {
	const { flight, join } = underWay();
	const [first, second] = [join('a', true), join('b', true)];
	await first();
	expect(flight.signal.aborted).toBe(false);
	expect(flight.serves(pending)).toBe(true);
	await second();
	expect(flight.signal.aborted).toBe(true);
	expect(flight.serves(pending)).toBe(false);
});

it('continues if a caller that ran out of time was promised so', async () => {
	const { flight, join } = underWay();
	const [patient, cancelling] = [join('a', false), join('b', true)];
	await patient();
	await cancelling();
	expect(flight.signal.aborted).toBe(false);
});
