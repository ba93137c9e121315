// Trains the models of src/select/ one after the other, each on what models before it make of pages they did not see.
import { blockFeatures } from '../src/select/features/block-features.ts';
import type { Lexicon, Scale } from '../src/select/features/lexicon.ts';
import { type Matrix, RowWriter } from '../src/select/features/row-writer.ts';
import { typeTokens, weighTypes } from '../src/select/features/type-tokens.ts';
import { ByteReader } from '../src/select/model/byte-reader.ts';
import { measuredTypes } from '../src/select/model/classify.ts';
import { predict } from '../src/select/model/forest.ts';
import { readForest } from '../src/select/model/read-forest.ts';
import { type Binned, bin, fit, type Model, type Settings } from './boost.ts';
import { encodeForest, first } from './encode.ts';
import { joinLexicons, learn, scaleOf } from './lexicons.ts';
import { hash, type TruthPage } from './pages.ts';
import type { Judged, Sample, TypedPage } from './samples.ts';

/** All that is learned. */
export interface Learned {
	readonly names: Lexicon;
	readonly words: Lexicon;
	readonly blocks: Model;
	/** The middle value of each feature, of all blocks. */
	readonly middles: () => number[];
}

const env = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
/** The article set is small beside the mixed one. */
const article = env('ARTICLE', 2.5);
const other = env('OTHER', 1.6);
/** Of pages with more blocks every second one is seen, or fewer: they teach no more than others. */
const mostBlocks = env('BLOCKS', 150);

export const settings: Settings = {
	trees: env('TREES', 240),
	leaves: env('LEAVES', 24),
	rate: env('RATE', 0.08),
	minWeight: env('MINW', 5),
	lambda: 5,
	features: env('FEATURES', 0.2),
	rows: env('ROWS', 0.4),
	seed: 1,
};
const typeSettings: Settings = {
	...settings,
	trees: 80,
	leaves: 6,
	minWeight: 1,
	lambda: 2,
	features: 0.25,
	rows: 0.6,
};

/** Of the shipped types, which all mixed pages teach. */
const shippedTypes: Settings = { ...typeSettings, trees: 150, rate: 0.05 };

/** Parts of the training pages, by site: each is judged by models of the others. */
const partCount = 5;

const partOf = ({ site }: TypedPage, seed: number): number => hash(`part:${seed}:${site}`) % partCount;
const isMixed = ({ page }: TypedPage): boolean => page.set === 'mixed';

/**
 * Trains all models on some pages and judges others with them, as `extract` would.
 *
 * @param seed of the parts and of the trees
 */
export function trainAndJudge(
	train: readonly Sample[],
	test: readonly Sample[],
	seed: number,
): { learned: Learned; judged: Judged[] } {
	const parts = train.map((sample) => partOf(sample, seed));
	const samples = [...train, ...test];
	const { typesOf } = trainTypes(samples, parts, typeSettings, seed);

	const names: Lexicon[] = [];
	const words: Lexicon[] = [];
	const scales: { names: Scale; words: Scale }[] = [];
	for (let part = 0; part <= partCount; part++) {
		const seen = train.filter((_, i) => parts[i] !== part);
		names.push(
			learn(
				seen.map((sample) => sample.names),
				5,
				1200,
			),
		);
		words.push(
			learn(
				seen.map((sample) => sample.words),
				8,
				1500,
			),
		);
		scales.push({ names: scaleOf(names[part]!), words: scaleOf(words[part]!) });
	}
	const rows = samples.map(({ segments, facts }, i) => blockFeatures(segments, facts, scales[parts[i] ?? partCount]!));
	const common = samples.map(({ features }, i) => [...features, ...typesOf[i]!]);
	const { model, middles } = trainBlocks(train, rows, common, seed);
	const forest = readForest(new ByteReader(encodeForest(model, first)));
	const judged = test.map((_, k): Judged => {
		const i = train.length + k;
		return { types: typesOf[i]!, probabilities: predict(forest, rows[i]!, Float32Array.from(common[i]!)) };
	});
	const learned = { names: names[partCount]!, words: words[partCount]!, blocks: model, middles };
	return { learned, judged };
}

/** The models of page types by all pages given. */
export function trainTypesOf(pages: readonly TypedPage[], seed: number): { typeLexicons: Lexicon[]; types: Model[] } {
	const parts = pages.map((page) => partOf(page, seed));
	return trainTypes(pages, parts, shippedTypes, seed);
}

/** The types of all pages by models that did not see them: those of the training pages by models of the other parts. */
function trainTypes(
	samples: readonly TypedPage[],
	parts: readonly number[],
	settings: Settings,
	seed: number,
): { typeLexicons: Lexicon[]; types: Model[]; typesOf: number[][] } {
	const train = samples.slice(0, parts.length);
	const tokens = samples.map(({ segments, facts }) => typeTokens(segments, facts));
	const lexicons = Array.from({ length: partCount + 1 }, (_, part) =>
		measuredTypes.map((type) =>
			learn(
				train.flatMap((sample, i) =>
					parts[i] === part || !isMixed(sample)
						? []
						: [new Map([...tokens[i]!].map((token) => [token, sample.page.type === type ? 1 : 0]))],
				),
				6,
				300,
			),
		),
	);
	const joined = lexicons.map(joinLexicons);
	const rows = samples.map(({ segments, facts, features }, i) =>
		Float32Array.from([...features, ...weighTypes(joined[parts[i] ?? partCount]!, segments, facts)]),
	);
	const table = bin(samples.length, rows[0]!.length, (i) => rows[i]!);
	const ones = new Float64Array(samples.length).fill(1);
	const raw = samples.map(() => new Array<number>(measuredTypes.length).fill(0));
	let types: Model[] = [];
	for (let part = 0; part <= partCount; part++) {
		const seen: number[] = [];
		const unseen: number[] = [];
		for (const [i, sample] of samples.entries()) {
			if ((parts[i] ?? partCount) === part) unseen.push(i);
			else if (i < parts.length && isMixed(sample)) seen.push(i);
		}
		if (part < partCount && unseen.length === 0) continue;
		types = measuredTypes.map((type, k) => {
			const labels = Float64Array.from(samples, (sample) => (sample.page.type === type ? 1 : 0));
			const fitted = fit(table, Int32Array.from(seen), Int32Array.from(unseen), labels, ones, {
				...settings,
				seed,
			});
			for (const i of unseen) raw[i]![k] = fitted.probabilities[i]!;
			return fitted.model;
		});
	}
	const typesOf = raw.map((values) => {
		const sum = values.reduce((total, value) => total + value, 0);
		return values.map((value) => value / sum);
	});
	return { typeLexicons: lexicons[partCount]!, types, typesOf };
}

function trainBlocks(
	train: readonly Sample[],
	matrices: readonly Matrix[],
	common: readonly (readonly number[])[],
	seed: number,
): { model: Model; middles: () => number[] } {
	const rows: Float32Array[] = [];
	const labels: number[] = [];
	const weights: number[] = [];
	for (const [s, { page, segments, labels: own }] of train.entries()) {
		const matrix = withCommon(matrices[s]!, common[s]!);
		const raw = segments.blocks.map(({ size, box }) => (box.hidden ? 0 : Math.min(size.words, 150) ** 0.6 + 0.3));
		const sum = raw.reduce((total, weight) => total + weight, 0);
		const scale = (weightOf(page) * 100) / sum;
		const step = Math.max(1, matrix.rows / mostBlocks);
		for (let at = 0; at < matrix.rows; at += step) {
			const i = Math.floor(at);
			// Hidden blocks are dropped whatever their probability.
			if (segments.blocks[i]!.box.hidden) continue;
			rows.push(matrix.data.subarray(i * matrix.width, (i + 1) * matrix.width));
			labels.push(own[i]!);
			weights.push(raw[i]! * scale);
		}
	}
	const data: Binned = bin(rows.length, rows[0]!.length, (i) => rows[i]!);
	const all = Int32Array.from(rows, (_, i) => i);
	const { model } = fit(data, all, new Int32Array(0), Float64Array.from(labels), Float64Array.from(weights), {
		...settings,
		seed,
	});
	return { model, middles: () => Array.from(rows[0]!, (_, feature) => middleOf(rows, feature)) };
}

function middleOf(rows: readonly Float32Array[], feature: number): number {
	const values = Float32Array.from(rows, (row) => row[feature]!).sort();
	return values[values.length >> 1]!;
}

/** Rows that end with what is the same for all of them. */
function withCommon({ rows, width, data }: Matrix, common: readonly number[]): Matrix {
	const all = new RowWriter(rows * (width + common.length));
	const last = Float32Array.from(common);
	for (let row = 0; row < rows; row++) {
		all.addFrom(data, row * width, width);
		all.addAll(last);
	}
	return all.finish(rows);
}

/** The article set is small beside the mixed one, and that has few pages that are not articles. */
function weightOf(page: TruthPage): number {
	if (page.set === 'article') return article;
	return page.type === 'article' ? 1 : other;
}
