import { fileVocabularyNames } from '../policy/vocabularies/names.ts';

/** The formats that lint knows. A module of its own, with few imports, because the help of `lint` lists them. */
export const formatNames = [
	'robots',
	'robots2',
	'pagedigest',
	'ranges',
	'range-lines',
	'aidocument',
	'aidocument-lines',
	'som',
	...fileVocabularyNames,
	'policy',
] as const;

export type FormatName = (typeof formatNames)[number];
