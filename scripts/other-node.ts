import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../node_modules/.cache/wayleave/', import.meta.url));

/**
 * The executable of another version of Node, from the package `node` of npm; undefined where it cannot be fetched. It is
 * kept beside the dependencies, since it takes 10 s and 190 MB.
 *
 * @param version as npm takes it: `22`, `20.19.0`
 */
export function otherNode(version: string): string | undefined {
	const folder = join(cache, `node-${version}`);
	const executable = join(folder, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
	if (!existsSync(executable) && !fetchNode(version, folder)) return undefined;
	return runs(executable) ? executable : undefined;
}

function fetchNode(version: string, folder: string): boolean {
	mkdirSync(cache, { recursive: true });
	// Under a name of its own until it is whole: several tests may want it at once.
	const partial = mkdtempSync(join(cache, 'partial-'));
	try {
		writeFileSync(join(partial, 'package.json'), JSON.stringify({ private: true, allowScripts: { node: true } }));
		execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', `node@${version}`], {
			cwd: partial,
			stdio: 'ignore',
			timeout: 120_000,
			shell: process.platform === 'win32',
		});
		if (!existsSync(folder)) renameSync(partial, folder);
		return true;
	} catch {
		return existsSync(folder);
	} finally {
		rmSync(partial, { recursive: true, force: true });
	}
}

function runs(executable: string): boolean {
	try {
		execFileSync(executable, ['--version'], { stdio: 'ignore' });
		return true;
	} catch {
		return false;
	}
}
