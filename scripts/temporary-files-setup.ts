import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * All temporary files of a test run, those of processes that it starts and kills too, are in one folder, which goes when
 * the run is over: nothing is left on the machine, and no test has to clean up.
 */
export default function setup(): () => void {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-tests-'));
	// The database server runs as another user when the tests run as root.
	chmodSync(folder, 0o755);
	process.env.TMPDIR = folder;
	// A test that runs tests, on another version of Node, shares the programs.
	process.env.WAYLEAVE_TEST_PROGRAMS ??= join(folder, 'programs');
	return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
