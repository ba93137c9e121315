import type { VocabularyMechanism } from './policy/vocabularies/names.ts';

/** Sources of a rule. */
export type Mechanism = 'robots' | 'robots2' | VocabularyMechanism | 'ask' | 'operator';

/** The very line of the very file that speaks for or against something. `line` counts from 1, 0 = the whole source. */
export interface Evidence {
	/** The URL or the file name. */
	readonly source: string;
	readonly line: number;
	readonly column?: number;
	readonly text: string;
	readonly mechanism: Mechanism;
	/** A row of `conformance/requirements.tsv`. */
	readonly requirement?: string;
	/** Number of further lines of this source with the same statement. */
	readonly repeated?: number;
}
