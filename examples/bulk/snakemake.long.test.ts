import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { writeArchive } from '../../packages/wayleave/src/commands/convert/testing/archives.ts';

const run = promisify(execFile);
const isInstalled = spawnSync('snakemake', ['--version']).error === undefined;

// Debian: apt-get install snakemake
it.skipIf(!isInstalled)(
	'Snakemake converts each archive, and only one that came since',
	async () => {
		const cwd = mkdtempSync(join(tmpdir(), 'wayleave-snakemake-'));
		for (const folder of ['archives', 'bin']) mkdirSync(join(cwd, folder));
		const program = join(import.meta.dirname, '../../packages/wayleave/bin/wayleave.js');
		writeFileSync(join(cwd, 'bin/wayleave'), `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`);
		chmodSync(join(cwd, 'bin/wayleave'), 0o755);
		const env = { ...process.env, PATH: `${join(cwd, 'bin')}:${process.env.PATH}` };
		const snakemake = async () => {
			const argv = ['--snakefile', join(import.meta.dirname, 'Snakefile'), '--cores', '2', '--nocolor'];
			const { stderr } = await run('snakemake', argv, { cwd, env });
			return [...stderr.matchAll(/^rule convert:/gm)].length;
		};
		const documents = (name: string) => JSON.parse(readFileSync(join(cwd, `parquet/${name}.json`), 'utf8')).documents;
		writeArchive(join(cwd, 'archives'), 'a', 3);
		writeArchive(join(cwd, 'archives'), 'b', 5);
		expect(await snakemake()).toBe(2);
		expect([documents('a'), documents('b')]).toEqual([3, 5]);
		writeArchive(join(cwd, 'archives'), 'c', 2);
		expect(await snakemake()).toBe(1);
		expect(documents('c')).toBe(2);
	},
	240_000,
);
