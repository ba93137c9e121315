/**
 * Works on many inputs, `width` at a time, and yields each result when it is done. Starts no more work while the consumer
 * does not read. The work must not throw.
 */
export async function* inCompletionOrder<Input, Output>(
	inputs: readonly Input[],
	work: (input: Input, index: number) => Promise<Output>,
	width: number,
): AsyncGenerator<Output> {
	const running = new Map<number, Promise<{ at: number; output: Output }>>();
	const rest = inputs.entries();
	const begin = (): boolean => {
		const { done, value } = rest.next();
		if (done) return false;
		const [at, input] = value;
		running.set(
			at,
			work(input, at).then((output) => ({ at, output })),
		);
		return true;
	};
	while (running.size < width) if (!begin()) break;
	while (running.size > 0) {
		const { at, output } = await Promise.race(running.values());
		running.delete(at);
		yield output;
		begin();
	}
}
