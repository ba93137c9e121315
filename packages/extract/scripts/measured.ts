// What measure.ts writes for each seed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuleName } from '../src/select/rules/rules.ts';
import type { Outcome } from './figures.ts';
import { loadQuoted } from './pages.ts';

/** The outcomes of all pages, in their order. */
export interface Measured {
	readonly all: readonly Outcome[];
	/** With the rules that gain on inner folds. */
	readonly chosen: readonly Outcome[];
	readonly without: Readonly<Record<RuleName, readonly Outcome[]>>;
	/** The rules that are left out, by fold. */
	readonly leftOut: readonly (readonly RuleName[])[];
}

const fileOf = (folder: string, seed: number): string => join(folder, `measured-${seed}.json`);

export function writeMeasured(folder: string, seed: number, measured: Measured): void {
	writeFileSync(
		fileOf(folder, seed),
		JSON.stringify(measured, (key, value: unknown) => (key === 'page' ? undefined : value)),
	);
}

export function readMeasured(folder: string, seed: number): Measured {
	const { all, chosen, without, leftOut } = JSON.parse(readFileSync(fileOf(folder, seed), 'utf8')) as Measured;
	const pages = loadQuoted();
	const withPages = (outcomes: readonly Outcome[]): Outcome[] =>
		outcomes.map((outcome, i) => ({ ...outcome, page: pages[i]! }));
	const rules = Object.entries(without).map(([rule, outcomes]) => [rule, withPages(outcomes)]);
	return {
		all: withPages(all),
		chosen: withPages(chosen),
		without: Object.fromEntries(rules) as Measured['without'],
		leftOut,
	};
}
