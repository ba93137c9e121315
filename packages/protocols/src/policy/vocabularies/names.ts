/**
 * The words of each vocabulary that modules below the vocabularies have to recognise: the robots.txt reader its record
 * keys, evidence its mechanisms, the page reader its meta tags. A leaf: it imports nothing.
 */
export const vocabularyNames = {
	'content-usage': { groupRecords: ['content-usage'] },
	'content-signal': { groupRecords: ['content-signal'] },
	rsl: { fileRecords: ['license'] },
	'robots-tags': { meta: ['robots'] },
	tdmrep: { meta: ['tdm-reservation', 'tdm-policy'], file: true },
} as const satisfies Readonly<Record<string, VocabularyWords>>;

/** Lower-case words of a vocabulary. */
interface VocabularyWords {
	/** Keys of robots.txt records that apply to the agents of their group. */
	readonly groupRecords?: readonly string[];
	/** Keys of robots.txt records that apply to the whole file. */
	readonly fileRecords?: readonly string[];
	/** Names of meta tags. */
	readonly meta?: readonly string[];
	/** Whether the vocabulary has a file of its own, whose format is called by its name. */
	readonly file?: true;
}

/** Vocabularies whose evidence does not come from one place, under their own name. */
interface Mechanisms {
	readonly 'robots-tags': 'x-robots-tag' | 'meta-robots';
}

export type VocabularyName = keyof typeof vocabularyNames;
export type VocabularyMechanism = Exclude<VocabularyName, keyof Mechanisms> | Mechanisms[keyof Mechanisms];
type WordsOf<Name extends VocabularyName, List extends keyof VocabularyWords> = (typeof vocabularyNames)[Name] extends {
	readonly [Key in List]: readonly (infer Word extends string)[];
}
	? Word
	: never;
export type RecordKeyOf<Name extends VocabularyName> = WordsOf<Name, 'groupRecords'> | WordsOf<Name, 'fileRecords'>;

const wordsOf = (list: Exclude<keyof VocabularyWords, 'file'>): readonly string[] =>
	Object.values<VocabularyWords>(vocabularyNames).flatMap((words) => words[list] ?? []);

export const groupRecordKeys = /* @__PURE__ */ wordsOf('groupRecords');
export const fileRecordKeys = /* @__PURE__ */ wordsOf('fileRecords');
export const metaNames = /* @__PURE__ */ wordsOf('meta');

/** Vocabularies with a file of their own. */
export type FileVocabularyName = {
	[Name in VocabularyName]: (typeof vocabularyNames)[Name] extends { readonly file: true } ? Name : never;
}[VocabularyName];
export const fileVocabularyNames = /* @__PURE__ */ Object.entries<VocabularyWords>(vocabularyNames).flatMap(
	([name, { file }]) => (file ? [name as FileVocabularyName] : []),
);
