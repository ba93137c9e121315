// Bundles the programs that tests start: source-program.ts. Usage: source-program-build.ts FOLDER
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
	symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
	for (const name of ['dashboard', 'site', 'package.json'])
		if (existsSync(join(command, name))) symlinkSync(join(command, name), join(folder, name));
	await bundlePrograms(programs(), join(folder, 'dist/bundle'));
	writeFileSync(join(folder, 'ready'), '');
}

const [, , folder = ''] = process.argv;
const [ready, lock] = [join(folder, 'ready'), join(folder, 'lock')];
while (!existsSync(ready)) {
	try {
		mkdirSync(lock);
	} catch {
		await sleep(50);
		continue;
	}
	try {
		await make(folder);
	} catch (error) {
		rmSync(lock, { recursive: true });
		throw error;
	}
}
