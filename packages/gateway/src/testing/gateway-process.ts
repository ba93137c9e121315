import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sourceProgram } from '../../../../scripts/source-program.ts';
import type { ConfigInput } from '../config/schema.ts';

export interface GatewayProcessOptions {
	readonly config: ConfigInput;
	/** Origin of the site. */
	readonly upstream: string;
	/** Folder for the files of the gateway. */
	readonly base: string;
}

/** A gateway in a process of its own. */
export interface GatewayProcess {
	readonly port: number;
	/** What the operator was told. */
	readonly notes: readonly string[];
	kill(signal: NodeJS.Signals): void;
	/** Resolves when the process is gone. */
	readonly end: Promise<unknown>;
}

const script = fileURLToPath(new URL('gateway-child.ts', import.meta.url));

/** Starts a gateway, which takes some seconds. */
export async function startGatewayProcess(options: GatewayProcessOptions): Promise<GatewayProcess> {
	const words = [sourceProgram(script), JSON.stringify(options)];
	const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
	const end = once(child, 'close');
	const lines = createInterface({ input: child.stdout });
	const started = once(lines, 'line');
	const [port] = await Promise.race([started, end.then(() => Promise.reject(new Error('the gateway did not start')))]);
	const notes: string[] = [];
	lines.on('line', (line) => notes.push(line));
	return { port: Number(port), notes, kill: (signal) => child.kill(signal), end };
}
