// What the choice of the main content gives on pages that neither trained nor chose it, and beside peers: nested folds.
//
//   node --conditions=wayleave-source --import tsx packages/extract/scripts/folds.ts [--seeds 1,2,3] [--workers 2]
//     [--peers defuddle,readability+linkedom] [--cache DIR [--report]]
//
// For each seed the sites are in five folds. The pages of a fold are judged by models of the four others. The rules used
// there are those that gain on its two neighbours, judged by models that saw neither these nor the fold that is reported.
// `--cache` keeps what models and peers make of pages, to measure again, or only to print the tables again (`--report`).
// Peers need the packages of bench/.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { selectionRules } from '../src/select/rules/rules.ts';
import { columnTitles, type Figures, figuresOf, goal, type Outcome, outcomeOf, rowOf } from './figures.ts';
import { readMeasured } from './measured.ts';
import { loadQuoted } from './pages.ts';
import { mean, resampled } from './score.ts';
import { fileOf, foldCount, tasksOf } from './split.ts';

function option(name: string, otherwise: string): string {
	const at = process.argv.indexOf(`--${name}`);
	return at < 0 ? otherwise : process.argv[at + 1]!;
}
const seeds = option('seeds', '1,2,3').split(',').map(Number);
const workers = Number(option('workers', '2'));
const peers = option('peers', '')
	.split(',')
	.filter((name) => name !== '');
const folder = option('cache', join(tmpdir(), `wayleave-folds-${process.pid}`));
mkdirSync(folder, { recursive: true });
const started = Date.now();
const say = (...parts: unknown[]): void => console.error(`[${((Date.now() - started) / 1000).toFixed(0)} s]`, ...parts);

// --- judging ----------------------------------------------------------------------------------------------------

async function judgeAll(): Promise<void> {
	const waiting = seeds.flatMap(tasksOf).filter((task) => !existsSync(fileOf(folder, task)));
	const work = async (): Promise<void> => {
		if (waiting.length === 0) return;
		const child = fork(fileURLToPath(new URL('judge.ts', import.meta.url)));
		await once(child, 'message');
		for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
			child.send(task);
			const [judged] = await once(child, 'message');
			writeFileSync(fileOf(folder, task), JSON.stringify(judged));
			say('judged by models without folds', task.left.join(' and '), 'of seed', task.seed);
		}
		child.kill();
	};
	await Promise.all(Array.from({ length: workers }, work));
}

/** Measures what the models of each seed gave, in processes of their own. */
async function measureAll(): Promise<void> {
	const measure = fileURLToPath(new URL('measure.ts', import.meta.url));
	const waiting = [...seeds];
	const work = async (): Promise<void> => {
		for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
			await once(fork(measure, [String(seed), folder]), 'exit');
			say('measured seed', seed);
		}
	};
	await Promise.all(Array.from({ length: workers }, work));
}

if (!process.argv.includes('--report')) {
	await judgeAll();
	await measureAll();
}
const pages = loadQuoted();
const measured = seeds.map((seed) => readMeasured(folder, seed));

async function outcomesOfPeer(name: string): Promise<Outcome[]> {
	const file = join(folder, `peer-${name}.json`);
	let texts: Record<string, string> = {};
	if (existsSync(file)) texts = JSON.parse(readFileSync(file, 'utf8')) as typeof texts;
	else {
		const { Contestant, mishaps } = await import('../../../bench/extract-peers.ts');
		const contestant = new Contestant(name);
		for (const page of pages) texts[`${page.set}/${page.id}`] = (await contestant.find(page.html(), page.url)).text;
		contestant.close();
		say(name, ...mishaps([contestant]));
		writeFileSync(file, JSON.stringify(texts));
	}
	return pages.map((page) => outcomeOf(page, texts[`${page.set}/${page.id}`] ?? ''));
}

// --- tables -----------------------------------------------------------------------------------------------------

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function between(outcomes: readonly (readonly Outcome[])[]): string[] {
	const byPage = pages.map((_, i) => outcomes.map((list) => list[i]!));
	const keys = ['article', 'precision', 'recall', 'mixed', 'macro'] as const satisfies (keyof Figures)[];
	return keys.map((key) =>
		resampled(byPage, (some) => figuresOf(some.flat())[key])
			.map((value) => value.toFixed(3))
			.join(' to '),
	);
}

console.log(line(columnTitles));
console.log(line(columnTitles.map(() => '---')));
for (const [name, outcomes] of [
	['wayleave, rules chosen on inner folds', measured.map(({ chosen }) => chosen)],
	['wayleave, all rules', measured.map(({ all }) => all)],
] as const) {
	console.log(line([name, ...rowOf(figuresOf(outcomes.flat()))]));
	console.log(line(['95 % interval over pages', ...between(outcomes)]));
	for (const [k, seed] of seeds.entries()) console.log(line([`seed ${seed}`, ...rowOf(figuresOf(outcomes[k]!))]));
}
for (const name of peers) console.log(line([name, ...rowOf(figuresOf(await outcomesOfPeer(name)))]));

console.log('\nThe gain of each rule in the goal, in thousandths, on pages that saw neither training nor choice:\n');
const titles = ['rule', 'gain', ...seeds.map((seed) => `seed ${seed}`), 'pages changed', 'folds that leave it out'];
console.log(line(titles));
console.log(line(titles.map(() => '---')));
for (const rule of selectionRules) {
	const gains = measured.map(({ all, without }) => 1000 * (goal(figuresOf(all)) - goal(figuresOf(without[rule]))));
	const changed = mean(
		measured.map(({ all, without }) => without[rule].filter(({ f1 }, i) => f1 !== all[i]!.f1).length),
	);
	const left = measured.flatMap(({ leftOut }) => leftOut).filter((rules) => rules.includes(rule)).length;
	const cells = [mean(gains), ...gains].map((gain) => gain.toFixed(2));
	console.log(line([rule, ...cells, changed.toFixed(0), `${left} of ${seeds.length * foldCount}`]));
}
