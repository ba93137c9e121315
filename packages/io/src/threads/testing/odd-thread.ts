import { threadId } from 'node:worker_threads';
import { serveTasks } from '../serve-tasks.ts';

/** What a thread of the tests is to do. */
export type OddTask =
	| { readonly say: string; readonly bytes?: Uint8Array }
	| 'name your thread'
	| 'throw'
	| 'loop'
	| 'fill memory'
	| 'exit'
	| 'throw later'
	| 'not cloneable';

serveTasks(async (task: OddTask): Promise<unknown> => {
	switch (task) {
		case 'name your thread':
			return threadId;
		case 'throw':
			throw new RangeError('not this one');
		case 'loop':
			for (;;);
		case 'fill memory': {
			const filled: number[][] = [];
			for (;;) filled.push(Array.from({ length: 100_000 }, (_, at) => at));
		}
		case 'exit':
			return process.exit(3);
		case 'throw later':
			setTimeout(() => {
				throw new Error('nobody catches this');
			}, 0);
			return new Promise(() => {});
		case 'not cloneable':
			return () => {};
		default:
			return `${task.say} ${task.bytes?.length ?? 0}`;
	}
});
