/**
 * Does work for each of many inputs, `width` at a time, and gives what comes of it as it is done. No more is begun while
 * nobody takes it. The work must not throw.
 */
export async function* inCompletionOrder<Input, Output>(
	inputs: readonly Input[],
	work: (input: Input, index: number) => Promise<Output>,
	width: number,
): AsyncGenerator<Output> {
	const running = new Map<number, Promise<{ at: number; output: Output }>>();
	let next = 0;
	const begin = () => {
		const at = next++;
		running.set(
			at,
			work(inputs[at]!, at).then((output) => ({ at, output })),
		);
	};
	while (running.size < width && next < inputs.length) begin();
	while (running.size > 0) {
		const { at, output } = await Promise.race(running.values());
		running.delete(at);
		yield output;
		if (next < inputs.length) begin();
	}
}
