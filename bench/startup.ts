// Measures what starting the command costs: `--version`, `--help`, the help of one command, and `fetch` of one page, each
// compared with an empty Node program, `fetch` also with programs that get and convert the same page. Reports medians and
// ratios of the processor time (user and system) that each process records at its end; the variants run in turn.
//   npm run bench:startup [-- --runs 30]
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSite } from './crawl/contest.ts';
import { middle, option } from './measure.ts';

const runs = Number(option('runs') ?? 30);
const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const bin = option('bin') ?? asPacked();

/** The command without `bin/checkout.js`, which npm does not install. */
function asPacked(): string {
	const target = path('.built/packed');
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	for (const file of ['bin/wayleave.js', 'bin/start.js', 'package.json'])
		cpSync(path(`../packages/wayleave/${file}`), join(target, file));
	symlinkSync(path('../packages/wayleave/dist'), join(target, 'dist'), 'junction');
	return join(target, 'bin/wayleave.js');
}

const folder = mkdtempSync(join(tmpdir(), 'wayleave-startup-'));
const empty = join(folder, 'empty.mjs');
writeFileSync(empty, '');
// At exit, each process writes its processor time in microseconds to the pipe it was given.
const meter = join(folder, 'meter.cjs');
writeFileSync(
	meter,
	"process.on('exit', () => { const { user, system } = process.cpuUsage(); require('fs').writeSync(3, String(user + system)); });",
);
const site = await startSite(1);
const page = `${site.origin}/`;
const request = `process.stdout.write(await (await fetch(${JSON.stringify(page)})).text())`;

/** Upper limits, as multiples of an empty program. */
const contestants = [
	{ name: 'an empty program', argv: [empty], limit: undefined },
	{ name: 'wayleave --version', argv: [bin, '--version'], limit: 1.1 },
	{ name: 'wayleave --help', argv: [bin, '--help'], limit: 1.3 },
	{ name: 'wayleave crawl --help', argv: [bin, 'crawl', '--help'], limit: undefined },
	{ name: 'wayleave fetch of one page', argv: [bin, 'fetch', page, '--delay', '0'], limit: 11 },
	{ name: '`fetch` of Node, the HTML as it is', argv: ['--input-type=module', '-e', request], limit: undefined },
	{
		name: '`fetch`, jsdom, Readability, Turndown',
		argv: [path('startup/readability.mjs'), page],
		limit: undefined,
	},
];

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
	const size = (site.bytes / 1000).toFixed(0);
	console.log(
		`Node ${process.versions.node}, a page of about ${size} kB, ${runs} runs in turn, medians of processor time\n`,
	);
	console.log('| | ms | times an empty program | at most |\n|---|---|---|---|');
	for (const [at, { name, limit }] of contestants.entries()) {
		const ratio = (medians[at] ?? 0) / (medians[0] ?? 1);
		console.log(`| ${name} | ${medians[at]?.toFixed(1)} | ${ratio.toFixed(2)} | ${limit ?? ''} |`);
		if (limit !== undefined && ratio > limit) process.exitCode = 1;
	}
} finally {
	site.child.kill();
	rmSync(folder, { recursive: true });
}
