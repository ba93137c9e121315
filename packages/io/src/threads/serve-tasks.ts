import { parentPort } from 'node:worker_threads';
import type { Reply, Request } from './thread.ts';

/**
 * Makes the module that calls it the work of a `ThreadPool`: it does one task after the other.
 *
 * @throws Error outside of a thread.
 */
export function serveTasks<Input, Output>(work: (input: Input) => Output | Promise<Output>): void {
	const port = parentPort;
	if (port === null) throw new Error('this module runs only in a worker thread');
	let last: Promise<void> = Promise.resolve();
	port.on('message', ({ input }: Request<Input>) => {
		last = last.then(async () => {
			const reply = await attempt(work, input);
			try {
				port.postMessage(reply);
			} catch (error) {
				// A result that cannot be cloned is a fault of the task.
				port.postMessage(failure(error));
			}
		});
	});
	port.postMessage('ready');
}

async function attempt<Input, Output>(work: (input: Input) => Output | Promise<Output>, input: Input) {
	try {
		return { output: await work(input) } satisfies Reply<Output>;
	} catch (error) {
		return failure(error);
	}
}

const failure = (error: unknown): Reply<never> => ({ error: error instanceof Error ? error.message : String(error) });
