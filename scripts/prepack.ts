// Runs before `npm pack` and `npm publish` of each package: builds it, adds the licence (and for the command also the
// bundle, the README, the docs, the dashboard, the example site, the manual page and the conformance table), and fails where
// something is missing.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lacking } from './lacking.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = process.cwd();
const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string };
const isCommand = name === 'wayleave';

// Built again from nothing: what has been removed from the sources must not be in the package.
rmSync('dist', { recursive: true, force: true });
run('build', 'node_modules/typescript/bin/tsc', '-b', folder);

for (const file of isCommand ? ['LICENSE', 'README.md', 'docs'] : ['LICENSE']) {
	rmSync(file, { recursive: true, force: true });
	// Pictures of each view at each width are for the repository: they would be most of the package.
	cpSync(join(root, file), file, { recursive: true, filter: (path) => !/-(?:390|1280|1920)-\w+\.png$/.test(path) });
}
if (isCommand) {
	run('bundle', '--import=tsx', 'scripts/bundle.ts');
	run('dashboard', '--import=tsx', 'apps/dashboard/build.ts', join(folder, 'dashboard'));
	run('example site', '--import=tsx', 'examples/site/build.ts', join(folder, 'site'));
	run('manual page', '--conditions=wayleave-source', '--import=tsx', 'scripts/man.ts', join(folder, 'man/wayleave.1'));
	run('conformance table', '--import=tsx', 'conformance/report.ts', '--quiet', '--or-list');
}
const missing = lacking(folder);
if (missing.length > 3) missing.splice(3, missing.length, `${missing.length - 3} more`);
if (missing.length > 0) fail(`it would lack ${missing.join(', ')}`);

function run(what: string, ...argv: string[]): void {
	// What it prints goes to stderr: stdout belongs to `npm pack --json`.
	const { status } = spawnSync(process.execPath, argv, { cwd: root, stdio: ['ignore', 2, 2] });
	if (status !== 0) fail(`the ${what} failed`);
}

function fail(why: string): never {
	console.error(`error: ${name} is not packed: ${why}`);
	process.exit(1);
}
