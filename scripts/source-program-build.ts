// Bundles the programs that tests start: source-program.ts. Usage: source-program-build.ts FOLDER
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundlePrograms } from './bundle.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const command = join(root, 'packages/wayleave');

/** The command, and what tests start as processes of their own. */
function programs(): string[] {
	const testing = readdirSync(join(root, 'packages'))
		.map((name) => join(root, 'packages', name, 'src/testing'))
		.filter((folder) => existsSync(folder));
	const children = testing.flatMap((folder) =>
		readdirSync(folder)
			.filter((name) => name.endsWith('-child.ts'))
			.map((name) => join(folder, name)),
	);
	// `@wayleave/files` starts these by their names.
	const files = ['child', 'file-thread'].map((name) => join(root, `packages/files/src/${name}.ts`));
	return [join(command, 'src/bin.ts'), ...children, ...files];
}

/** The folder looks like an installed `wayleave`: packages are found in it, and the files that the command shows. */
async function make(folder: string): Promise<void> {
	const links = { node_modules: root, dashboard: command, site: command, 'package.json': command };
	for (const [name, from] of Object.entries(links)) {
		rmSync(join(folder, name), { force: true });
		if (existsSync(join(from, name))) symlinkSync(join(from, name), join(folder, name), 'junction');
	}
	await bundlePrograms(programs(), join(folder, 'dist/bundle'));
	writeFileSync(join(folder, 'ready'), '');
}

/** Whether another process makes the bundle; one that was killed meanwhile leaves its lock, which is removed. */
function isLocked(lock: string): boolean {
	try {
		process.kill(Number(readFileSync(lock, 'utf8')), 0);
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ESRCH') rmSync(lock, { force: true });
		return false;
	}
}

const [, , folder = ''] = process.argv;
const [ready, lock] = [join(folder, 'ready'), join(folder, 'lock')];
while (!existsSync(ready)) {
	try {
		writeFileSync(lock, String(process.pid), { flag: 'wx' });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
		if (isLocked(lock)) await sleep(50);
		continue;
	}
	try {
		if (!existsSync(ready)) await make(folder);
	} finally {
		rmSync(lock, { force: true });
	}
}
