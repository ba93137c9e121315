import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { partFile } from './part-file.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-part-'));
});

const left = (name: string, hours: number) => {
	const file = join(folder, name);
	writeFileSync(file, 'half');
	const then = Date.now() / 1000 - hours * 3600;
	utimesSync(file, then, then);
};

it('two that write to one place have each a name of their own', async () => {
	const path = join(folder, 'x.parquet');
	expect(await partFile(path)).not.toBe(await partFile(path));
});

it('parts of processes that were killed go; those of the living, of another machine perhaps, and others stay', async () => {
	// A process that has ended.
	const { pid } = spawnSync(process.execPath, ['--version']);
	const stays = [
		`x.parquet.${pid}-0000000a.part`,
		`x.parquet.${process.ppid}-0000000b.part`,
		`y.parquet.${pid}-0000000c.part`,
		'x.parquet.part',
	];
	left(stays[0]!, 0.5);
	for (const name of stays.slice(1)) left(name, 2);
	left(`x.parquet.${pid}-0000000d.part`, 2);
	// The first process of a container has the number of the first one of the container before.
	left(`x.parquet.${process.pid}-0000000e.part`, 2);
	await partFile(join(folder, 'x.parquet'));
	expect(readdirSync(folder)).toEqual([...stays].sort());
});
