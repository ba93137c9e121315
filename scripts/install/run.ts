import { type ChildProcess, spawn } from 'node:child_process';

/** What a step may use: a folder to be in, and the environment of a stranger. */
export interface Place {
	readonly cwd: string;
	readonly env: NodeJS.ProcessEnv;
}

export interface Ran {
	readonly status: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** Milliseconds that a command may take; an install without a cache is the longest. */
const limit = 1_800_000;

/** Runs a command to its end. */
export async function run(place: Place, command: string, ...argv: readonly string[]): Promise<Ran> {
	const child = start(place, command, argv);
	const timer = setTimeout(() => child.process.kill('SIGKILL'), limit);
	const status = await child.ended;
	clearTimeout(timer);
	return { status, stdout: child.stdout(), stderr: child.stderr() };
}

/** @throws Error with the last lines of its output, where the command does not end with 0 */
export async function succeed(place: Place, command: string, ...argv: readonly string[]): Promise<Ran> {
	const ran = await run(place, command, ...argv);
	if (ran.status !== 0) throw new Error(`${[command, ...argv].join(' ')} ended with ${ran.status}: ${lastLines(ran)}`);
	return ran;
}

export function lastLines({ stdout, stderr }: Pick<Ran, 'stdout' | 'stderr'>): string {
	return `${stdout}\n${stderr}`.trim().split('\n').slice(-8).join(' | ');
}

export interface Started {
	readonly process: ChildProcess;
	/** The exit code; null where a signal ended it. */
	readonly ended: Promise<number | null>;
	stdout(): string;
	stderr(): string;
	/** Waits until the pattern matches what was printed. @throws Error when the command ends first, or after a minute */
	printed(pattern: RegExp): Promise<RegExpExecArray>;
	/** Asks it to end, and waits. */
	stop(): Promise<number | null>;
}

export function start({ cwd, env }: Place, command: string, argv: readonly string[]): Started {
	const child = spawn(command, argv, {
		cwd,
		env,
		stdio: ['pipe', 'pipe', 'pipe'],
		shell: process.platform === 'win32',
	});
	let stdout = '';
	let stderr = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		stdout += text;
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		stderr += text;
	});
	let isOver = false;
	const ended = new Promise<number | null>((resolve) => {
		child.on('error', (error) => {
			stderr += error.message;
			resolve(127);
		});
		child.on('close', resolve);
	}).finally(() => {
		isOver = true;
	});
	return {
		process: child,
		ended,
		stdout: () => stdout,
		stderr: () => stderr,
		async printed(pattern) {
			const end = Date.now() + 60_000;
			while (Date.now() < end) {
				const found = pattern.exec(`${stdout}\n${stderr}`);
				if (found !== null) return found;
				if (isOver) break;
				await new Promise((resolve) => setTimeout(resolve, 50));
			}
			throw new Error(`${argv.join(' ')} did not print ${pattern}: ${lastLines({ stdout, stderr })}`);
		},
		stop() {
			child.kill('SIGTERM');
			const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
			return ended.finally(() => clearTimeout(timer));
		},
	};
}
