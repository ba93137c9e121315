import type { Extra } from './context.ts';

/** Milliseconds between two progress notifications. */
const beat = 5000;

/**
 * Reports progress to a client that asked for it (`progressToken`). Messages are our own words: a notification has no
 * fence, so nothing of a page may be in them.
 */
export async function reportProgress(
	{ _meta, sendNotification }: Extra,
	progress: number,
	message: string,
	total?: number,
): Promise<void> {
	const progressToken = _meta?.progressToken;
	if (progressToken === undefined) return;
	const params = { progressToken, progress, message, ...(total !== undefined && { total }) };
	await sendNotification({ method: 'notifications/progress', params });
}

/** Waits for work, and reports every five seconds how long: many clients give up on a silent call. */
export async function withProgress<Value>(extra: Extra, what: string, work: Promise<Value>): Promise<Value> {
	if (extra._meta?.progressToken === undefined) return work;
	let beats = 0;
	const report = () => {
		const seconds = (beats * beat) / 1000;
		const message = beats === 0 ? what : `${what}: ${seconds} s so far`;
		// A disconnected client needs no progress.
		void reportProgress(extra, beats++, message).catch(() => {});
	};
	report();
	const timer = setInterval(report, beat);
	try {
		return await work;
	} finally {
		clearInterval(timer);
	}
}
