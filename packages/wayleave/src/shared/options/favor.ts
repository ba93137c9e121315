import type { Favor } from '@wayleave/extract';
import { Option } from 'commander';
import { wordsOf } from './words.ts';

export interface FavorFlags {
	favor?: Favor;
}

/** The option for pages whose main content is ambiguous. */
export const favorOption = (): Option =>
	new Option(
		'--favor <SIDE>',
		'when the main content is ambiguous: recall keeps more, precision keeps less (default: balanced)',
	).choices(wordsOf<Favor>({ recall: true, precision: true }));

/** As an option of the crawler. */
export const favored = ({ favor }: FavorFlags): FavorFlags => (favor === undefined ? {} : { favor });
