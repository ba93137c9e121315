import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that goes when this process ends, however it ends: a signal that asks for it, too. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-bench-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
	return folder;
}
