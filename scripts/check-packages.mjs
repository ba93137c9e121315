// Packs every package as it is built now and looks at the tarball as a stranger's tools will: publint (fields and files
// of package.json) and attw (types under node16 and bundler). Ends with 1 where one of them finds something.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'wayleave-pack-'));
try {
	// Without `prepack`: types and entry points are built by `npm run types`, and nothing else is looked at here.
	run('npm', ['pack', '--workspaces', '--ignore-scripts', '--silent', '--pack-destination', folder]);
	for (const name of readdirSync(folder)) {
		const tarball = join(folder, name);
		run(join(root, 'node_modules/.bin/publint'), ['run', tarball, '--strict', '--level', 'warning']);
		// All packages are ESM only, and say so: what a CommonJS project would get is known.
		run(join(root, 'node_modules/.bin/attw'), [tarball, '--profile', 'esm-only', '--format', 'table-flipped']);
	}
} finally {
	rmSync(folder, { recursive: true });
}

function run(command, argv) {
	const { status, stdout, stderr } = spawnSync(command, argv, {
		cwd: root,
		encoding: 'utf8',
		shell: process.platform === 'win32',
	});
	if (status === 0) return;
	console.error(`${command} ${argv.join(' ')}\n${stdout}${stderr}`);
	process.exitCode = 1;
}
