/**
 * The members of a union of words, for `choices` of an option, in the order in which help names them. One that is
 * missing or does not exist fails to compile: `wordsOf<Favor>({ recall: true, precision: true })`.
 */
export const wordsOf = <Word extends string>(words: Readonly<Record<Word, true>>): Word[] =>
	Object.keys(words) as Word[];
