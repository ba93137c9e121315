import type { Terminal } from './command.ts';

/** The time to write into what is built, in milliseconds; reproducible builds give it in SOURCE_DATE_EPOCH, in seconds. */
export function buildTime({ env }: Terminal): number {
	const epoch = env.SOURCE_DATE_EPOCH;
	return epoch !== undefined && /^\d{1,11}$/.test(epoch) ? Number(epoch) * 1000 : Date.now();
}
