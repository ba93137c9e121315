const closings = new Set<() => void>();

/**
 * Closes something at the end of the process, however that is reached, if it was not closed before: a lock must not
 * outlive the process that holds it, nor a statement its database.
 *
 * @returns what closes it now
 */
export function closeAtExit(work: () => void): () => void {
	const close = () => {
		if (closings.delete(close)) work();
	};
	closings.add(close);
	if (!isListening) process.once('exit', closeAll);
	isListening = true;
	return close;
}

let isListening = false;

function closeAll(): void {
	for (const close of closings) {
		try {
			close();
		} catch {
			// The process ends all the same, and the next thing is to be closed too.
		}
	}
}
