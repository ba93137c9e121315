/** How `chunkMarkdown` cuts a document. */
export interface ChunkOptions {
	/** The most tokens of a chunk's `text`: a whole number from 1. */
	readonly maxTokens: number;
	/** Counts the tokens of a text: `countTokens` of `@wayleave/extract/tokens`, or the tokenizer of your model. */
	readonly countTokens: (text: string) => number;
	/** BCP 47 tag of the text, for the bounds of its sentences and words. Default: by the characters alone. */
	readonly language?: string | undefined;
}

/** A piece of a document that fits a token budget. */
export interface Chunk {
	/**
	 * The same for the same text under the same headings, whatever changes elsewhere in the document; unique within the
	 * document.
	 */
	readonly id: string;
	/** The headings above the text, outermost first, without markup; its own heading is the last. */
	readonly headingPath: readonly string[];
	/** `markdown.slice(start, end)` is the part of the document: UTF-16 code units. */
	readonly start: number;
	readonly end: number;
	/** The part of the document, complete with the table header or the code fence that lies in another chunk. */
	readonly text: string;
	/** Of `text`. */
	readonly tokens: number;
	/** The text begins or ends inside a table or a block of code that is larger than the budget. */
	readonly cut?: 'table' | 'code';
}
