import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Milliseconds for which a part that no process here writes is left alone: a process of another machine may write it.
 */
const forOthers = 3_600_000;

/**
 * The name of a part that will replace `path`: unique to this writer, since two that write to
 * one place at a time would mix what they write. Parts that a process left when it was killed go.
 */
export async function partFile(path: string): Promise<string> {
	const folder = dirname(path);
	for (const name of await readdir(folder)) {
		if (!name.startsWith(`${basename(path)}.`)) continue;
		const [, pid] = /^(\d+)-[\da-f]{8}\.part$/.exec(name.slice(basename(path).length + 1)) ?? [];
		const left = join(folder, name);
		if (pid !== undefined && (await isOld(left, Number(pid)))) await rm(left, { force: true });
	}
	return `${path}.${process.pid}-${randomBytes(4).toString('hex')}.part`;
}

async function isOld(file: string, pid: number): Promise<boolean> {
	const { mtimeMs } = (await stat(file).catch(() => undefined)) ?? { mtimeMs: Date.now() };
	// In a container each process is number 1: a part from before our start is that of an earlier one.
	const mayBeWritten = pid === process.pid ? mtimeMs >= performance.timeOrigin : isAlive(pid);
	return !mayBeWritten && Date.now() - mtimeMs > forOthers;
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
