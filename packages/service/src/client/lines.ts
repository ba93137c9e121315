/** The lines of a body, as they arrive. Ending the loop releases the body. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
	const reader = body.getReader();
	const decoder = new TextDecoder();
	const pieces: string[] = [];
	try {
		for (;;) {
			const { done, value } = await reader.read();
			const [first = '', ...parts] = (done ? decoder.decode() : decoder.decode(value, { stream: true })).split('\n');
			// A long line comes in many pieces, which are joined once.
			pieces.push(first);
			for (const part of parts) {
				const line = pieces.splice(0).join('');
				pieces.push(part);
				if (line !== '') yield line;
			}
			if (!done) continue;
			const last = pieces.join('');
			if (last !== '') yield last;
			return;
		}
	} finally {
		await reader.cancel().catch(() => {});
	}
}
