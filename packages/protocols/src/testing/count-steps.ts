import { Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// Prints the number of steps that our code takes for each work, for an input of n, 2n and 4n: the entries of all
// functions and blocks, as V8 counts them. No clock is involved. Optimised code counts nothing, so optimisation is off.
setFlagsFromString('--no-opt');
setFlagsFromString('--no-maglev');

interface ScriptCoverage {
	readonly url: string;
	readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
}

const source = new URL('..', import.meta.url);
const folders = [source.href, fileURLToPath(source)];

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
// Only modules loaded under the counter are counted.
const { askAll, repetitions, works } = await import('./growth-works.ts');

function count(work: () => void): number {
	takeCount();
	work();
	return takeCount();
}

/** The entries since the last call, over all scripts of this package. */
function takeCount(): number {
	let steps = 0;
	session.post('Profiler.takePreciseCoverage', (error, answer) => {
		if (error) throw error;
		for (const { url, functions } of (answer as { result: ScriptCoverage[] }).result) {
			if (!folders.some((folder) => url.startsWith(folder))) continue;
			for (const { ranges } of functions) for (const { count } of ranges) steps += count;
		}
	});
	return steps;
}

const all: typeof works = [
	...repetitions.map(([name, files]) => [name, (n: number) => () => void askAll(files(n))] as const),
	...works,
];
const sizes = [200, 400, 800];
const rows = all.map(([name, work]) => [name, sizes.map((n) => count(work(n)))] as const);
process.stdout.write(JSON.stringify(Object.fromEntries(rows)));
