import { fromBase64 } from '@exodus/bytes/base64.js';
import { Scale, type WeightedWords } from '../features/lexicon.ts';
import type { Scales } from '../features/survey.ts';
import { WordTable } from '../read/word-table.ts';
import { ByteReader } from './byte-reader.ts';
import { measuredTypes, type TypeModel } from './classify.ts';
import type { Forest } from './forest.ts';
import { withLanes } from './lanes.ts';
import { modelData } from './model-data.ts';
import { readForest } from './read-forest.ts';

/** The model, learned from pages with known content: see `scripts/train.ts`. */
export interface Model {
	readonly scales: Scales;
	readonly types: TypeModel;
	/** How likely a block is content: in two parts, see `predict`. */
	readonly blocks: readonly Forest[];
}

let loaded: Model | undefined;

/** The model of the package, decoded on first use. */
export function loadModel(): Model {
	loaded ??= readModel(modelData);
	return loaded;
}

/** A model as `scripts/encode.ts` writes it: words between spaces, and all numbers in base64, in the order of the members. */
export interface ModelData {
	readonly names: string;
	readonly words: string;
	/** For each place: see `TypeLexicon`. */
	readonly typeWords: readonly string[];
	readonly numbers: string;
}

export function readModel({ names, words, typeWords, numbers }: ModelData): Model {
	const reader = new ByteReader(fromBase64(numbers));
	const types = measuredTypes.length;
	return {
		scales: { names: new Scale(readWords(reader, names)), words: new Scale(readWords(reader, words)) },
		types: {
			lexicon: { types, places: typeWords.map((text) => readWords(reader, text, types)) },
			forests: measuredTypes.map(() => readForest(reader)),
		},
		blocks: readForest(reader).map(withLanes),
	};
}

/** Weights are written as whole numbers of this part of 1. */
const weightUnit = 20;

function readWords(reader: ByteReader, text: string, width = 1): WeightedWords {
	const table = new WordTable(text);
	const weights = Float64Array.from(reader.int8s(table.size * width));
	for (let at = 0; at < weights.length; at++) weights[at]! /= weightUnit;
	return { table, weights };
}
