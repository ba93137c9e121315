import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { FileCost, FileReply, FileRequest } from './messages.ts';
import { entryBeside } from './source-entry.ts';

// The process that reads files. Its first thread only watches: the time and the memory of the whole process, which a
// thread cannot hide, and the parent, with which it ends. The file is read in a second thread.

/** Milliseconds between two looks; memory grows by some MiB meanwhile. */
const interval = 20;
/** Seconds of processor time that any file may take, and further ones for each page that has been read. */
const firstSeconds = 4;
const secondsPerPage = 0.1;
/** MiB of the heap of the thread that reads. */
const heap = 1024;

let current:
	| { readonly request: FileRequest; readonly cpu: NodeJS.CpuUsage; pages: number; memory: number }
	| undefined;
const worker = startWorker();

function startWorker(): Worker {
	const { url, isSource } = entryBeside('./file-thread', import.meta.url);
	const options: WorkerOptions = {
		resourceLimits: { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
	};
	if (!isSource) return new Worker(url, options);
	const [loader, module] = [import.meta.resolve('tsx/esm/api'), url.href].map((name) => JSON.stringify(name));
	const code = `import(${loader}).then(({ register }) => { register(); return import(${module}); })`;
	return new Worker(code, { ...options, eval: true, execArgv: ['--conditions=wayleave-source'] });
}

const send = (reply: FileReply, then?: () => void): void => {
	process.send?.(reply, undefined, undefined, () => then?.());
};

worker.on('message', (reply: FileReply) => {
	if (reply.type === 'page') {
		if (current !== undefined) current.pages++;
		return;
	}
	const cost = costNow();
	if (reply.type !== 'ready') current = undefined;
	send(reply.type === 'ready' || cost === undefined ? reply : { ...reply, cost });
});
worker.on('error', (error: Error & { readonly code?: string }) => {
	if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') stop('the file needs more memory than a thread may have');
	else process.exit(1);
});
worker.on('exit', () => process.exit(1));

process.on('message', (request: FileRequest) => {
	current = { request, cpu: process.cpuUsage(), pages: 0, memory: 0 };
	worker.postMessage(request);
});
process.on('disconnect', () => process.exit(0));
// A supervisor may send its signal to all processes of a service. The parent finishes what it reads, then ends this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

setInterval(() => {
	if (current === undefined) return;
	const { request, pages } = current;
	const { memory, seconds } = costNow()!;
	if (memory > request.limits.memory) stop(`the file needs more than ${request.limits.memory} MiB of memory`);
	const limit = Math.min(request.limits.seconds, firstSeconds + secondsPerPage * pages);
	if (seconds > limit) stop(`the file needs more than ${limit.toFixed(1)} seconds of processor time`);
}, interval);

function costNow(): FileCost | undefined {
	if (current === undefined) return undefined;
	current.memory = Math.max(current.memory, process.memoryUsage.rss() / 2 ** 20);
	const { user, system } = process.cpuUsage(current.cpu);
	return { seconds: (user + system) / 1e6, memory: current.memory };
}

function stop(message: string): void {
	if (current === undefined) return;
	const { id } = current.request;
	const cost = costNow()!;
	current = undefined;
	send({ type: 'failed', id, code: 'file-over-limit', message, cost }, () => process.exit(0));
}
