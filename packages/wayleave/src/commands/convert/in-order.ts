/**
 * Works on the elements of a sequence, several at a time, and gives what comes of them in the order of the sequence.
 * Not more than `most` are begun before the first of them is taken: in memory is what is being worked on.
 */
export async function* inOrder<Input, Output>(
	sequence: AsyncIterable<Input>,
	most: number,
	work: (input: Input) => Promise<Output>,
): AsyncGenerator<Output> {
	const begun: Promise<Output>[] = [];
	for await (const input of sequence) {
		const output = work(input);
		// The consumer gets the error; until then it must not count as unhandled.
		output.catch(() => {});
		begun.push(output);
		for (const first of begun.splice(0, begun.length < most ? 0 : 1)) yield await first;
	}
	for (const output of begun) yield await output;
}
