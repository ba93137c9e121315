// Measures the start-up time of the command: `--version`, `--help` and the help of one command, each compared with an
// empty Node program. Reports medians and ratios of the processor time (user and system) that each process records at
// its end; the variants run in turn.
//   npm run bench:startup [-- --runs 30]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { middle, option } from './measure.ts';

const runs = Number(option('runs') ?? 30);
const bin = option('bin') ?? fileURLToPath(new URL('../packages/wayleave/bin/wayleave.js', import.meta.url));
if (!existsSync(bin)) throw new Error(`${bin}: the file does not exist`);

const folder = mkdtempSync(join(tmpdir(), 'wayleave-startup-'));
const empty = join(folder, 'empty.mjs');
writeFileSync(empty, '');
// At exit, each process writes its processor time in microseconds to the pipe it was given.
const meter = join(folder, 'meter.cjs');
writeFileSync(
	meter,
	"process.on('exit', () => { const { user, system } = process.cpuUsage(); require('fs').writeSync(3, String(user + system)); });",
);

/** Upper limits, as multiples of an empty program. */
const contestants = [
	{ name: 'an empty program', argv: [empty], limit: undefined },
	{ name: 'wayleave --version', argv: [bin, '--version'], limit: 1.5 },
	{ name: 'wayleave --help', argv: [bin, '--help'], limit: 1.6 },
	{ name: 'wayleave crawl --help', argv: [bin, 'crawl', '--help'], limit: undefined },
] as const;

function cpuOf(argv: readonly string[]): number {
	const { status, output } = spawnSync(process.execPath, ['--require', meter, ...argv], {
		cwd: folder,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
	});
	if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}: ${output[2]}`);
	return Number(output[3]) / 1000;
}

try {
	const samples = contestants.map(() => [] as number[]);
	for (const { argv } of contestants) cpuOf(argv);
	for (let run = 0; run < runs; run++)
		for (const [at, { argv }] of contestants.entries()) samples[at]?.push(cpuOf(argv));
	const medians = samples.map(middle);
	console.log(`Node ${process.versions.node}, ${runs} runs in turn, medians of processor time\n`);
	console.log('| | ms | times an empty program | at most |\n|---|---|---|---|');
	for (const [at, { name, limit }] of contestants.entries()) {
		const ratio = (medians[at] ?? 0) / (medians[0] ?? 1);
		console.log(`| ${name} | ${medians[at]?.toFixed(1)} | ${ratio.toFixed(2)} | ${limit ?? ''} |`);
		if (limit !== undefined && ratio > limit) process.exitCode = 1;
	}
} finally {
	rmSync(folder, { recursive: true });
}
