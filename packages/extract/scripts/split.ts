// How pages are divided to be judged by models that did not see them: by site, another way for each seed.
import { join } from 'node:path';
import { hash } from './pages.ts';

export const foldCount = 5;

/** Models to train: on the pages that are in none of the folds that are left out. */
export interface Task {
	readonly seed: number;
	readonly left: readonly number[];
}

export const foldOf = (site: string, seed: number): number => hash(`fold:${seed}:${site}`) % foldCount;

/**
 * For each fold the models that report on it, and for each pair of neighbours models that saw neither: by these one is
 * chosen on for the report on the other.
 */
export function tasksOf(seed: number): Task[] {
	const folds = Array.from({ length: foldCount }, (_, fold) => fold);
	const outer = folds.map((fold) => ({ seed, left: [fold] }));
	return [...outer, ...folds.map((fold) => ({ seed, left: [fold, (fold + 1) % foldCount] }))];
}

/** Where the verdicts of models are kept. */
export const fileOf = (folder: string, { seed, left }: Task): string =>
	join(folder, `${seed}-${[...left].sort((a, b) => a - b).join('')}.json`);
