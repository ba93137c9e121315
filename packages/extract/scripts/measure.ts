// Measures what models gave that did not see the pages, with and without each rule: started by folds.ts for each seed.
//
//   measure.ts SEED FOLDER
import { readFileSync } from 'node:fs';
import { type RuleName, selectionRules, type Trial } from '../src/select/rules/rules.ts';
import { figuresOf, goal, type Outcome, outcomeOf } from './figures.ts';
import { writeMeasured } from './measured.ts';
import { type Judged, keptOf, loadSamples, type Sample, textOf } from './samples.ts';
import { fileOf, foldCount, foldOf, type Task, tasksOf } from './split.ts';

const seed = Number(process.argv[2]);
const folder = process.argv[3]!;
const samples = loadSamples();

function readJudged(task: Task): Map<Sample, Judged> {
	const judged = JSON.parse(readFileSync(fileOf(folder, task), 'utf8')) as Judged[];
	const pages = samples.filter(({ site }) => task.left.includes(foldOf(site, seed)));
	return new Map(pages.map((sample, i) => [sample, judged[i]!]));
}

const trialWithout = (...rules: RuleName[]): Trial => ({ without: new Set(rules), fired: new Set() });

/** A gain below this is noise: see `rules.ts`. */
const noise = 0.0005;

/** The outcomes of some pages with all rules, and without each. */
class Outcomes {
	readonly all: Outcome[] = [];
	readonly without = Object.fromEntries(selectionRules.map((rule) => [rule, []])) as unknown as Record<
		RuleName,
		Outcome[]
	>;

	add(sample: Sample, judged: Judged): void {
		const trial = trialWithout();
		const kept = keptOf(sample, judged, trial);
		const outcome = outcomeOf(sample.page, textOf(sample, kept));
		this.all.push(outcome);
		for (const rule of selectionRules) {
			const other = trial.fired.has(rule) ? keptOf(sample, judged, trialWithout(rule)) : kept;
			const isSame = kept.every((keep, i) => keep === other[i]);
			this.without[rule].push(isSame ? outcome : outcomeOf(sample.page, textOf(sample, other)));
		}
	}

	/** The rules without which the goal is higher by more than noise. */
	harmful(): RuleName[] {
		const least = goal(figuresOf(this.all)) + noise;
		return selectionRules.filter((rule) => goal(figuresOf(this.without[rule])) > least);
	}
}

const inner = Array.from({ length: foldCount }, () => new Outcomes());
const verdicts = new Map<Sample, Judged>();
for (const task of tasksOf(seed)) {
	for (const [sample, judged] of readJudged(task)) {
		const reported = task.left.find((fold) => fold !== foldOf(sample.site, seed));
		if (reported === undefined) verdicts.set(sample, judged);
		else inner[reported]!.add(sample, judged);
	}
}
const leftOut = inner.map((outcomes) => outcomes.harmful());
const own = new Outcomes();
const chosen: Outcome[] = [];
for (const sample of samples) {
	const judged = verdicts.get(sample)!;
	own.add(sample, judged);
	const kept = keptOf(sample, judged, trialWithout(...leftOut[foldOf(sample.site, seed)]!));
	chosen.push(outcomeOf(sample.page, textOf(sample, kept)));
}
writeMeasured(folder, seed, { all: own.all, without: own.without, chosen, leftOut });
