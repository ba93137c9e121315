import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';
import { archiveMembers, writeArchive } from './testing/archives.ts';

// `convert` as a step of a scheduler.

let cwd: string;
const names = ['a', 'b', 'c', 'd', 'e'];
beforeEach(() => {
	cwd = mkdtempSync(join(tmpdir(), 'wayleave-bulk-'));
	mkdirSync(join(cwd, 'in'));
	for (const [at, name] of names.entries()) writeArchive(join(cwd, 'in'), name, at + 1);
});
const everyUrl = names.flatMap((name, at) =>
	Array.from({ length: at + 1 }, (_, page) => `http://${name}.test/p${page}`),
);

async function convert(argv: readonly string[], input = '') {
	const terminal = recordingTerminal(cwd, {}, input);
	const exitCode = await run(['convert', ...argv], terminal, commands);
	return { exitCode, stdout: terminal.stdout(), stderr: terminal.stderr() };
}
const urlsOf = (name: string): string[] =>
	readFileSync(join(cwd, name), 'utf8')
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => JSON.parse(line).url as string);
const read = (name: string) => readFileSync(join(cwd, name), 'utf8');
const shown = (folder: string) => readdirSync(join(cwd, folder)).filter((name) => !name.startsWith('.'));

describe('--shard', () => {
	it.each([
		['archive', [3, 4, 8]],
		['page', [5, 5, 5]],
	])('each %s belongs to exactly one shard', async (by, sizes) => {
		const counts = [];
		for (const index of [0, 1, 2]) {
			const argv = [
				'in',
				'--shard',
				`${index}/3`,
				'--shard-by',
				by,
				'--out',
				'out/{shard}.jsonl',
				'--summary',
				'run-{shard}.json',
			];
			expect(await convert(argv)).toMatchObject({ exitCode: 0 });
			counts.push(JSON.parse(read(`run-0000${index}-of-00003.json`)).documents);
		}
		const files = ['out/00000-of-00003.jsonl', 'out/00001-of-00003.jsonl', 'out/00002-of-00003.jsonl'];
		expect(files.flatMap(urlsOf).sort()).toEqual([...everyUrl].sort());
		expect(counts.sort()).toEqual(by === 'archive' ? [3, 5, 7] : sizes);
	});

	it('one with nothing to do writes an empty file and succeeds', async () => {
		const { exitCode } = await convert(['in/a.warc.gz', '--shard', '7/8', '--out', '{shard}.jsonl', '--json']);
		expect([exitCode, read('00007-of-00008.jsonl')]).toEqual([0, '']);
	});

	it.each([
		[['--shard', '3/3'], 'shards are numbered from 0: the last one is 2/3'],
		[['--shard', '1'], 'expected the number of this shard and of all, such as 0/16'],
		[['--shard', '0/2', '--out', 'x.parquet'], 'all 2 shards would write it: write {shard} in its name, or {name}'],
		[['--shard', '0/2', '--shard-by', 'page', '--out', '{name}.parquet'], 'all 2 shards would write it: write {shard}'],
		[['--shard-by', 'page'], '--shard-by says what --shard INDEX/COUNT divides: add --shard'],
		[['--out', '{shard}.jsonl'], '{shard} needs --shard INDEX/COUNT'],
		[['--out', '{name}/'], '{name} is for files: write a name such as FOLDER'],
		[['--out', '{name}.jsonl', '--out', 'all.jsonl'], 'write {name} in every --out, or in none'],
		[['--summary', 'run.txt'], 'name FILE.json, or FILE.prom for Prometheus'],
		[['--tolerate', 'many'], 'expected a number of pages, such as 20, or a share of all, such as 0.5%'],
	])('refuses %j', async (flags, message) => {
		expect(await convert(['in', ...flags])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
		expect(readdirSync(cwd)).toEqual(['in']);
	});
});

describe('{name}', () => {
	const argv = ['in', '--out', 'out/{name}.jsonl', '--summary', 'run.json'];
	const summary = () => JSON.parse(read('run.json'));

	it('makes a file per archive, and skips what an earlier run has done', async () => {
		await convert(argv);
		expect(shown('out')).toEqual(names.map((name) => `${name}.jsonl`));
		const before = names.map((name) => statSync(join(cwd, `out/${name}.jsonl`)).mtimeMs);
		const { exitCode, stderr } = await convert(argv);
		expect([exitCode, stderr]).toEqual([0, '15 documents written, 0 failed (5 of 5 inputs already done)\n']);
		expect(names.map((name) => statSync(join(cwd, `out/${name}.jsonl`)).mtimeMs)).toEqual(before);
		expect(summary()).toMatchObject({ documents: 15, inputs: 5, inputs_converted: 0, inputs_already_done: 5 });
	});

	it.each([
		['the archive has changed', () => writeArchive(join(cwd, 'in'), 'c', 9), []],
		['the output was cut', () => truncateSync(join(cwd, 'out/c.jsonl'), 10), []],
		['the options have changed', () => {}, ['--economics']],
	])('does an input again when %s', async (_, change, more) => {
		await convert(argv);
		change();
		await convert([...argv, ...more]);
		expect(summary().inputs_converted).toBe(more.length > 0 ? 5 : 1);
		expect(urlsOf('out/c.jsonl').length).toBeGreaterThan(2);
	});

	it('repeats the exit code of damage that an earlier run has seen', async () => {
		const members = archiveMembers('b', 4);
		members[1]![30]! ^= 0xff;
		writeFileSync(join(cwd, 'in/b.warc.gz'), Buffer.concat(members));
		for (const _ of ['the first run', 'the next one']) {
			expect(await convert(argv)).toMatchObject({ exitCode: 1 });
			expect(summary()).toMatchObject({ exit_code: 1, documents: 16, failed: 1 });
		}
		expect((await convert([...argv, '--tolerate', '1'])).exitCode).toBe(0);
		expect((await convert([...argv, '--tolerate', '0.5%'])).exitCode).toBe(1);
		expect((await convert([...argv, '--tolerate', '6%'])).exitCode).toBe(0);
	});

	it('an archive that cannot be read has no output and is tried again', async () => {
		const listed = ['--files-from', '-', '--out', 'out/{name}.jsonl', '--summary', 'run.json'];
		const list = '# two archives\nin/a.warc.gz\n\nin/late.warc.gz\n';
		const { exitCode, stderr } = await convert(listed, list);
		expect([exitCode, stderr]).toEqual([3, expect.stringContaining('in/late.warc.gz: the file does not exist\n')]);
		expect(summary()).toMatchObject({ exit_code: 3, inputs: 2, inputs_converted: 1, inputs_unread: 1 });
		expect(shown('out')).toEqual(['a.jsonl']);
		writeArchive(join(cwd, 'in'), 'late', 2);
		expect((await convert(listed, list)).exitCode).toBe(0);
		expect(urlsOf('out/late.jsonl')).toHaveLength(2);
	});

	it('refuses two inputs with one name, in every shard', async () => {
		mkdirSync(join(cwd, 'in/more'));
		writeArchive(join(cwd, 'in/more'), 'a', 1);
		const { exitCode, stderr } = await convert([...argv, '--shard', '3/4']);
		expect(exitCode).toBe(2);
		expect(stderr).toContain('in/a.warc.gz and in/more/a.warc.gz would both be written to out/a.jsonl');
	});
});

it('SIGTERM leaves finished archives, and nothing half done', async () => {
	writeArchive(join(cwd, 'in'), 'c', 100);
	const terminal = recordingTerminal(cwd);
	const argv = ['convert', 'in', '--out', 'out/{name}.jsonl', '--summary', 'run.json', '--summary', 'run.prom'];
	const running = run(argv, terminal, commands);
	const begun = () => existsSync(join(cwd, 'out')) && shown('out').find((name) => name.startsWith('c.jsonl.'));
	const isWritten = (name: string | undefined | false) => name && statSync(join(cwd, 'out', name)).size > 0;
	while (!isWritten(begun())) await new Promise((resolve) => setImmediate(resolve));
	terminal.interrupt();
	expect(await running).toBe(130);
	expect(shown('out')).toEqual(['a.jsonl', 'b.jsonl']);
	expect(terminal.stderr()).toContain('interrupted: run the same command again to go on with the inputs that are not');
	expect(JSON.parse(read('run.json'))).toMatchObject({ exit_code: 130, inputs: 5, inputs_converted: 2 });
	expect(JSON.parse(read('run.json')).documents).toBe(3);
	expect(read('run.prom')).toContain('\nwayleave_convert_exit_code 130\n');
	expect((await convert(['in', '--out', 'out/{name}.jsonl'])).exitCode).toBe(0);
	expect(urlsOf('out/c.jsonl')).toHaveLength(100);
});

it('an output that cannot be written ends the run, and the summary says why', async () => {
	writeFileSync(join(cwd, 'out'), '');
	const { exitCode } = await convert(['in', '--out', 'out/{name}.jsonl', '--summary', 'run.json']);
	expect(exitCode).toBe(3);
	expect(JSON.parse(read('run.json'))).toMatchObject({
		...{ exit_code: 3, documents: 0 },
		error: expect.stringContaining('part of the path is a file, not a folder'),
	});
});

it('saved pages give the same bytes in every run', async () => {
	writeFileSync(join(cwd, 'page.html'), '<!doctype html><title>T</title><main><h1>T</h1><p>The tide rises.</p></main>');
	const argv = ['page.html', '--url', 'https://e.test/'];
	for (const out of ['one.parquet', 'two.parquet']) {
		await convert([...argv, '--out', out]);
		await new Promise((resolve) => setTimeout(resolve, 2));
	}
	expect(readFileSync(join(cwd, 'one.parquet')).equals(readFileSync(join(cwd, 'two.parquet')))).toBe(true);
});

it('an empty list of a scheduler is nothing to do', async () => {
	expect(await convert(['--files-from', '-', '--out', '-'], '')).toEqual({
		...{ exitCode: 0, stdout: '', stderr: '0 documents written, 0 failed\n' },
	});
});
