import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sourceProgram } from '../../../../scripts/source-program.ts';

export interface ServiceProcessOptions {
	/** `postgres://…` */
	readonly store: string;
	/** Names of test sites on the loopback. */
	readonly hosts: readonly string[];
}

/** A service in a process of its own, with keys. */
export interface ServiceProcess {
	readonly url: string;
	kill(signal: NodeJS.Signals): void;
	/** Resolves when the process is gone. */
	readonly end: Promise<unknown>;
}

const script = fileURLToPath(new URL('service-child.ts', import.meta.url));

/** Starts a service, which takes some seconds. */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
	const words = [sourceProgram(script), JSON.stringify(options)];
	const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
	const end = once(child, 'close');
	const started = once(createInterface({ input: child.stdout }), 'line');
	const [url] = await Promise.race([started, end.then(() => Promise.reject(new Error('the service did not start')))]);
	return { url: String(url), kill: (signal) => child.kill(signal), end };
}
