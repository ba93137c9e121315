import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { Workflow } from '@kubernetes-models/argo-workflows/argoproj.io/v1alpha1/Workflow';
import { beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { writeArchive } from '../../packages/wayleave/src/commands/convert/testing/archives.ts';
import { commands, run as runCommand } from '../../packages/wayleave/src/index.ts';
import { recordingTerminal } from '../../packages/wayleave/src/testing/recorder.ts';

const run = promisify(execFile);
const file = (name: string) => join(import.meta.dirname, name);

let cwd: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
	cwd = mkdtempSync(join(tmpdir(), 'wayleave-bulk-'));
	for (const folder of ['archives', 'bin']) mkdirSync(join(cwd, folder));
	for (const [name, pages] of [
		['a', 3],
		['b', 5],
	] as const)
		writeArchive(join(cwd, 'archives'), name, pages);
	const program = join(import.meta.dirname, '../../packages/wayleave/bin/wayleave.js');
	writeFileSync(join(cwd, 'bin/wayleave'), `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`);
	chmodSync(join(cwd, 'bin/wayleave'), 0o755);
	env = { ...process.env, PATH: `${join(cwd, 'bin')}:${process.env.PATH}` };
	await convert(['archives', '--out', 'expected/{name}.parquet']);
}, 240_000);

async function convert(argv: readonly string[], input = '') {
	const terminal = recordingTerminal(cwd, {}, input);
	return { exitCode: await runCommand(['convert', ...argv], terminal, commands), stdout: terminal.stdout() };
}

function expectParquet(folder: string): void {
	const names = readdirSync(join(cwd, folder)).filter((name) => name.endsWith('.parquet'));
	expect(names).toEqual(['a.parquet', 'b.parquet']);
	for (const name of names) expectSame(folder, name);
}

const expectSame = (folder: string, name: string) =>
	expect(readFileSync(join(cwd, folder, name)).equals(readFileSync(join(cwd, 'expected', name)))).toBe(true);

it('make converts each archive once', async () => {
	const make = () => run('make', ['-f', file('Makefile'), 'OUT=made', 'made/b.parquet'], { cwd, env });
	await make();
	expectSame('made', 'b.parquet');
	expect(JSON.parse(readFileSync(join(cwd, 'made/b.json'), 'utf8'))).toMatchObject({ exit_code: 0, documents: 5 });
	expect((await make()).stdout).toContain('is up to date');
});

it('GNU parallel or xargs runs each shard', async () => {
	await run('sh', [file('parallel.sh'), 'archives', 'shards', '2'], { cwd, env });
	expectParquet('shards');
	const documents = [0, 1].map(
		(shard) => JSON.parse(readFileSync(join(cwd, `shards/run-0000${shard}-of-00002.json`), 'utf8')).documents,
	);
	expect(documents).toEqual([3, 5]);
});

it('each shard has rolling files of its own', async () => {
	for (const shard of ['0/2', '1/2'])
		expect(await convert(['archives', '--out', 'rolled/{shard}-*.jsonl.gz', '--shard', shard])).toMatchObject({
			exitCode: 0,
		});
	const names = readdirSync(join(cwd, 'rolled')).filter((name) => !name.startsWith('.'));
	expect(names.sort()).toEqual(['00000-of-00002-000001.jsonl.gz', '00001-of-00002-000001.jsonl.gz']);
	const lines = (name: string) =>
		gunzipSync(readFileSync(join(cwd, 'rolled', name)))
			.toString()
			.trimEnd()
			.split('\n').length;
	expect(names.map(lines)).toEqual([3, 5]);
});

it('the command that Spark pipes to is a filter from names to JSON lines', async () => {
	const script = readFileSync(file('spark_pipe.py'), 'utf8');
	const [, command = ''] = /\.pipe\("wayleave convert ([^"]+)"/.exec(script) ?? [];
	const { exitCode, stdout } = await convert(command.split(' '), 'archives/a.warc.gz\narchives/b.warc.gz\n');
	expect(exitCode).toBe(0);
	const urls = stdout
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line).url);
	expect(urls).toHaveLength(8);
	await run('python3', ['-c', 'import ast, sys; ast.parse(open(sys.argv[1]).read())', file('spark_pipe.py')]);
});

it('the command of the Snakefile makes the outputs that its rule names', async () => {
	const text = readFileSync(file('Snakefile'), 'utf8');
	const [, command = ''] = /shell:\s+"wayleave convert ([^"]+)"/.exec(text) ?? [];
	for (const name of ['a', 'b']) {
		const of = (ending: string) => `snakemake/${name}.${ending}`;
		const places: Record<string, string> = {
			'{input}': `archives/${name}.warc.gz`,
			'{output.parquet}': of('parquet'),
			'{output.summary}': of('json'),
		};
		const argv = command.split(' ').map((word) => places[word] ?? word);
		expect(argv.join(' ')).not.toContain('{');
		expect(await convert(argv)).toMatchObject({ exitCode: 0 });
		expect(JSON.parse(readFileSync(join(cwd, of('json')), 'utf8'))).toMatchObject({ exit_code: 0 });
	}
	expectParquet('snakemake');
});

it('the arguments of the Job are those of the command, for every pod', async () => {
	const job = parse(readFileSync(file('kubernetes-job.yaml'), 'utf8'));
	const { apiVersion, kind, ...rest } = job;
	new (createRequire(import.meta.url)(`kubernetes-models/${apiVersion}`)[kind])(rest).validate();
	const { args } = job.spec.template.spec.containers[0];
	const local = (index: number) =>
		args
			.slice(1)
			.map((text: string) =>
				text
					.replace('$(JOB_COMPLETION_INDEX)', String(index))
					.replace('/data/', '')
					.replace('/dev/termination-log', 'log.json'),
			);
	for (let index = 0; index < job.spec.completions; index++)
		expect(await convert(local(index))).toMatchObject({ exitCode: 0 });
	expectParquet('documents');
	expect(args).toContain(`$(JOB_COMPLETION_INDEX)/${job.spec.completions}`);
});

it('the arguments of the workflow of Argo are those of the command, for every shard', async () => {
	const { apiVersion, kind, ...workflow } = parse(readFileSync(file('argo-workflow.yaml'), 'utf8'));
	expect([apiVersion, kind]).toEqual(['argoproj.io/v1alpha1', 'Workflow']);
	new Workflow(workflow).validate();
	const { templates, entrypoint } = workflow.spec;
	const template = (name: string) => templates.find((one: { name: string }) => one.name === name);
	const [task] = template(entrypoint).dag.tasks;
	const { container } = template(task.template);
	const [, ...args]: string[] = container.args;
	const count = Number(task.withSequence.count);
	expect(args).toContain(`{{inputs.parameters.shard}}/${count}`);
	mkdirSync(join(cwd, 'summaries'));
	for (let shard = 0; shard < count; shard++) {
		const argv = args.map((text) =>
			text
				.replace('{{inputs.parameters.shard}}', String(shard))
				.replace('/data/documents', 'argo')
				.replace('/data/', ''),
		);
		expect(argv.join(' ')).not.toContain('{{');
		expect(await convert(argv)).toMatchObject({ exitCode: 0 });
	}
	expectParquet('argo');
});
