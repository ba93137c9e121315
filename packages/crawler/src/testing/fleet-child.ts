import type { WorkerOptions } from './fleet-types.ts';
import { runWorker } from './fleet-worker.ts';

// One worker of a fleet in a process of its own. Argument: WorkerOptions as JSON. Says what happens, a line each.

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
await runWorker(JSON.parse(process.argv[2]!) as WorkerOptions, stop.signal, (said) =>
	console.log(JSON.stringify(said)),
);
