import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sourceProgram } from '../../../../scripts/source-program.ts';
import { execute, openRaw } from '../testing/raw-sqlite.ts';
import { lockFile } from './file-lock.ts';

let folder: string;
let file: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-lock-'));
	file = join(folder, 'x.db-lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

const locked = expect.objectContaining({ code: 'locked' });
const child = sourceProgram('packages/io/src/testing/io-child.ts');

/** Another process, which takes the lock and then runs some code. */
function spawnHolder(code: string, ...argv: string[]) {
	return spawn(process.execPath, [child, code, file, ...argv], { stdio: ['pipe', 'pipe', 'inherit'] });
}

it('keeps others out until it is released, and then the file is gone', () => {
	const release = lockFile(file, 0);
	expect(existsSync(file)).toBe(true);
	expect(() => lockFile(file, 0)).toThrow(locked);
	release();
	release();
	expect(existsSync(file)).toBe(false);
	lockFile(file, 0)();
});

it('makes no file beside its own', () => {
	const release = lockFile(file, 0);
	expect(existsSync(`${file}-wal`) || existsSync(`${file}-shm`) || existsSync(`${file}-journal`)).toBe(false);
	release();
});

it('U2-35: the lock ends with a process that ends itself in the middle, and no file is left', async () => {
	const holder = spawnHolder(`lockFile(argv[0], 0); console.log('held'); process.stdin.once('end', () => {
		process.exit(0);
	}).resume();`);
	await once(holder.stdout, 'data');
	expect(() => lockFile(file, 0)).toThrow(locked);
	holder.stdin.end();
	await once(holder, 'exit');
	expect(existsSync(file)).toBe(false);
});

it('takes over the lock of a killed process', async () => {
	const holder = spawnHolder(`lockFile(argv[0], 0); console.log('held'); setInterval(() => {}, 1000);`);
	await once(holder.stdout, 'data');
	expect(() => lockFile(file, 0)).toThrow(locked);
	holder.kill('SIGKILL');
	await once(holder, 'exit');
	expect(existsSync(file)).toBe(true);
	lockFile(file, 0)();
	expect(existsSync(file)).toBe(false);
});

it('a lock of an earlier version, in WAL mode, keeps out while it is held, and no longer', () => {
	const earlier = openRaw(file, 0);
	execute(earlier, 'pragma journal_mode = WAL', 'begin exclusive');
	expect(() => lockFile(file, 0)).toThrow(locked);
	execute(earlier, 'rollback');
	earlier.close();
	lockFile(file, 0)();
	expect(existsSync(file)).toBe(false);
});

it('of many that want it again and again, one at a time has it', async () => {
	const log = join(folder, 'log');
	writeFileSync(log, '');
	const holders = ['a', 'b', 'c'].map((name) =>
		spawnHolder(
			`const { appendFileSync } = node('node:fs');
			const [file, log, name] = argv;
			for (let times = 0; times < 40; ) {
				try {
					const release = lockFile(file, 20);
					appendFileSync(log, name + '+ ');
					await new Promise((go) => setTimeout(go, times % 3));
					appendFileSync(log, name + '- ');
					release();
					times++;
				} catch (error) {
					if (error.code !== 'locked') throw error;
				}
				await new Promise((go) => setTimeout(go, 0));
			}`,
			log,
			name,
		),
	);
	const codes = await Promise.all(holders.map(async (holder) => (await once(holder, 'exit'))[0]));
	expect(codes).toEqual([0, 0, 0]);
	const said = readFileSync(log, 'utf8').trim().split(' ');
	expect(said).toHaveLength(240);
	for (let at = 0; at < said.length; at += 2) expect(said[at + 1]).toBe(said[at]?.replace('+', '-'));
	expect(existsSync(file)).toBe(false);
});
