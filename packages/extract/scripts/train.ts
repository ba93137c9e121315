// Trains the models of src/select/ and writes src/select/model/model-data.ts: on all pages whose truth was written by people,
// and page types on all of the mixed set. What such models give on pages that they did not see: folds.ts.
//
//   node --conditions=wayleave-source --import tsx packages/extract/scripts/train.ts
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encodeModel } from './encode.ts';
import { loadSamples, loadTypedPages } from './samples.ts';
import { trainAndJudge, trainTypesOf } from './stages.ts';

const samples = loadSamples();
if (samples.length === 0) {
	console.error('The pages with ground truth are not beside this checkout: nothing to train on.');
	process.exit(3);
}
const { learned } = trainAndJudge(samples, [], 1);
const { typeLexicons, types } = trainTypesOf(loadTypedPages(), 1);
const data = encodeModel({ ...learned, middles: learned.middles(), typeLexicons, types });
const file = fileURLToPath(new URL('../src/select/model/model-data.ts', import.meta.url));
const head =
	'// Written by scripts/train.ts: weights learned from pages with known content. Not for editing by hand.\n';
writeFileSync(file, `${head}export const modelData = ${JSON.stringify(data, null, '\t')} as const;\n`);
console.log(`${samples.length} pages, ${Math.round(JSON.stringify(data).length / 1024)} KiB of weights`);
console.log(`CPU time: ${Math.round(process.cpuUsage().user / 1e6)} s`);
