/** Lets many callers share one piece of work: while it runs, calls with the same key get the same promise. */
export function createSingleFlight<Value>() {
	const running = new Map<string, Promise<Value>>();
	return (key: string, work: () => Promise<Value>): Promise<Value> => {
		const known = running.get(key);
		if (known !== undefined) return known;
		const started = work().finally(() => running.delete(key));
		running.set(key, started);
		return started;
	};
}
