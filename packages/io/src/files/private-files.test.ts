import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sourceProgram } from '../../../../scripts/source-program.ts';
import { filesOfStore, openToOthers } from './private-files.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-private-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The driver of this Node version; other versions run this file too (`sql/other-nodes.test.ts`). */
const native = process.getBuiltinModule?.('node:sqlite') === undefined ? 'better-sqlite3' : 'node';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const child = sourceProgram('packages/io/src/testing/io-child.ts');

/** Opens stores in a process with its own umask; prints the modes of the files while they are open. */
function modesWith(umask: string, driver: string): Record<string, string> {
	const program = `
		process.umask(0o${umask});
		const { readdirSync, statSync } = node('node:fs');
		const db = openDatabase('sqlite:${folder}/new/deep/x.db', { brief: ${driver === 'wasm'} });
		await sql\`create table if not exists page (url text)\`.execute(db);
		await sql\`begin\`.execute(db);
		await sql\`insert into page values ('a')\`.execute(db);
		const release = ${driver === 'wasm'} ? () => {} : lockFile('${folder}/new/deep/x.db-lock', 0);
		await fileRangeStore('${folder}/state/ranges').save({ url: 'https://a.test/', earliest: 0, failures: 0 });
		const modes = {};
		const walk = (path) => {
			const found = statSync(path);
			modes[path.slice(${folder.length})] = (found.mode & 0o777).toString(8);
			if (found.isDirectory()) for (const name of readdirSync(path)) walk(path + '/' + name);
		};
		for (const name of ['new', 'state']) walk('${folder}/' + name);
		await sql\`commit\`.execute(db);
		release();
		await db.destroy();
		console.log(JSON.stringify(modes));`;
	const env = { ...process.env, WAYLEAVE_SQLITE: driver };
	const { stdout, stderr } = spawnSync(process.execPath, [child, program], { encoding: 'utf8', env });
	if (stdout === '') throw new Error(stderr);
	return JSON.parse(stdout);
}

describe.skipIf(process.platform === 'win32')('S2-23 S2-24 only their user can read new files', () => {
	it.each(['000', '022', '077'])('with the umask %s', (umask) => {
		const modes = modesWith(umask, native);
		for (const end of ['', '-wal', '-shm', '-lock']) expect(modes[`/new/deep/x.db${end}`], end).toBe('600');
		for (const path of ['/new', '/new/deep', '/state', '/state/ranges']) expect(modes[path], path).toBe('700');
		const [list = ''] = Object.keys(modes).filter((path) => path.endsWith('.json'));
		expect(modes[list]).toBe('600');
	});

	it('with the driver without native code, its journal too', () => {
		const modes = modesWith('000', 'wasm');
		expect(Object.keys(modes)).toContain('/new/deep/x.db-journal');
		for (const end of ['', '-journal']) expect(modes[`/new/deep/x.db${end}`], end).toBe('600');
	});

	it('also behind a link to a file that does not exist yet', () => {
		mkdirSync(join(folder, 'new', 'deep'), { recursive: true });
		symlinkSync(join(folder, 'target.db'), join(folder, 'new', 'deep', 'x.db'));
		const modes = modesWith('000', native);
		expect([modes['/new/deep/x.db'], modeOf(join(folder, 'target.db'))]).toEqual(['600', '600']);
	});

	it('existing files and folders keep their mode, and are reported', () => {
		const place = join(folder, 'new', 'deep');
		mkdirSync(place, { recursive: true });
		for (const path of [join(folder, 'new'), place]) chmodSync(path, 0o755);
		modesWith('022', native);
		const file = join(place, 'x.db');
		expect([modeOf(file), modeOf(place)]).toEqual(['600', '755']);
		chmodSync(file, 0o640);
		const modes = modesWith('022', native);
		expect([modes['/new/deep/x.db'], modes['/new/deep/x.db-wal']]).toEqual(['640', '640']);
		expect(openToOthers(filesOfStore(`sqlite:${file}`))).toEqual([file]);
		chmodSync(file, 0o600);
		expect(openToOthers(filesOfStore(`sqlite:${file}`))).toEqual([]);
		expect(existsSync(join(folder, 'new'))).toBe(true);
		expect(readdirSync(place)).toContain('x.db');
	});
});

it('a store that is not a file has no files', () => {
	for (const store of ['memory', 'sqlite::memory:', 'postgres://a@b/c']) expect(filesOfStore(store)).toEqual([]);
});

it('does not fail when other processes remove the file at any moment', async () => {
	const file = join(folder, 'shared');
	const program = `
		const { rmSync } = node('node:fs');
		for (let times = 0; times < 4000; times++) {
			makePrivateFile('${file}');
			rmSync('${file}', { force: true });
		}`;
	const runs = ['a', 'b', 'c'].map(async () => {
		const running = spawn(process.execPath, [child, program], { stdio: ['ignore', 'ignore', 'pipe'] });
		const [said, [code]] = await Promise.all([text(running.stderr), once(running, 'exit')]);
		return { said, code };
	});
	expect(await Promise.all(runs)).toEqual(runs.map(() => ({ said: '', code: 0 })));
}, 30_000);
