// Packs every package as it is built now and looks at the tarball as a stranger's tools will: publint (fields and files
// of package.json) and attw (types under node16 and bundler). Ends with 1 where one of them finds something. Both are
// called as libraries: as commands they would load TypeScript anew for each package.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** All packages are ESM only, and say so: what a CommonJS project would get is known. */
const ignoredResolutions = new Set(['node10', 'node16-cjs']);

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'wayleave-pack-'));
try {
	// Without `prepack`: types and entry points are built by `npm run types`, and nothing else is looked at here.
	pack('pack', '--workspaces', '--ignore-scripts', '--silent', '--pack-destination', folder);
	const names = readdirSync(folder);
	if (names.length < readdirSync(join(root, 'packages')).length) throw new Error('not every package was packed');
	for (const name of names) {
		const tarball = new Uint8Array(readFileSync(join(folder, name)));
		const problems = [...(await publintProblems(tarball)), ...(await attwProblems(tarball))];
		for (const problem of problems) console.error(`${name}: ${problem}`);
		if (problems.length > 0) process.exitCode = 1;
	}
} finally {
	rmSync(folder, { recursive: true });
}

async function publintProblems(tarball) {
	const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, level: 'warning', strict: true });
	return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
}

async function attwProblems(tarball) {
	const analysis = await checkPackage(createPackageFromTarballData(tarball));
	if (!analysis.types) return ['attw: has no types'];
	return analysis.problems
		.filter(({ resolutionKind }) => !ignoredResolutions.has(resolutionKind))
		.map((problem) => `attw: ${JSON.stringify(problem)}`);
}

function pack(...argv) {
	const { status, stdout, stderr } = spawnSync('npm', argv, {
		cwd: root,
		encoding: 'utf8',
		shell: process.platform === 'win32',
	});
	if (status !== 0) throw new Error(`npm ${argv.join(' ')}\n${stdout}${stderr}`);
}
