// A process that trains models without some folds and judges the pages of these: started by folds.ts.
import { type Judged, loadSamples } from './samples.ts';
import { foldOf, type Task } from './split.ts';
import { trainAndJudge } from './stages.ts';

const samples = loadSamples();

process.on('message', ({ seed, left }: Task) => {
	const isLeft = samples.map(({ site }) => left.includes(foldOf(site, seed)));
	const { judged } = trainAndJudge(
		samples.filter((_, i) => !isLeft[i]),
		samples.filter((_, i) => isLeft[i]),
		seed,
	);
	process.send!(judged.map(rounded));
});
process.send!('ready');

const rounded = ({ types, probabilities }: Judged): Judged => ({
	types,
	probabilities: Array.from(probabilities, (p) => Number(p.toFixed(5))),
});
