import type { TypeModel } from './classify.ts';
import type { Forest } from './forest.ts';
import { withLanes } from './lanes.ts';
import { type Lexicon, Scale } from './lexicon.ts';
import { modelData } from './model-data.ts';
import { readForest } from './read-forest.ts';
import type { Scales } from './survey.ts';
import { joinLexicons } from './type-tokens.ts';

/** What was learned from pages with known content: see `scripts/train.ts`. */
export interface Model {
	readonly scales: Scales;
	readonly types: TypeModel;
	/** How likely a block is content: in two parts, see `predict`. */
	readonly blocks: readonly Forest[];
}

/** So many trees decide most blocks. */
export const FIRST = 80;

let loaded: Model | undefined;

/** The model of the package, decoded on first use. */
export function loadModel(): Model {
	loaded ??= {
		scales: { names: new Scale(readLexicon(modelData.names)), words: new Scale(readLexicon(modelData.words)) },
		types: {
			forests: modelData.types.map((forest) => readForest(forest)),
			lexicon: joinLexicons(modelData.typeWords.map(readLexicon)),
		},
		blocks: readForest(modelData.blocks, FIRST, modelData.usual.split(' ').map(Number)).map(withLanes),
	};
	return loaded;
}

/** `word=12 other=-3`: weights in twentieths. */
function readLexicon(text: string): Lexicon {
	const lexicon = new Map<string, number>();
	for (const entry of text.split(' ')) {
		const at = entry.lastIndexOf('=');
		if (at > 0) lexicon.set(entry.slice(0, at), Number(entry.slice(at + 1)) / 20);
	}
	return lexicon;
}
