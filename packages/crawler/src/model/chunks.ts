import { type Chunk, type ChunkOptions, chunkMarkdown } from '@wayleave/extract';
import type { AIDocument } from '@wayleave/protocols/aidocument';
import type { Result } from './result.ts';

/** The size of the chunks that documents are cut into. */
export interface ChunkBudget {
	/** The most tokens of a chunk (`cl100k_base`): a whole number from 1. */
	readonly tokens: number;
}

/** The chunks of a document, cut in the language that the document states. */
export function chunkDocument(document: AIDocument, options: ChunkOptions): Chunk[] {
	return chunkMarkdown(document.content.markdown, { language: document.identity.language, ...options });
}

/** Adds `chunks` to results with a document. The tokenizer takes time to load, so only with a budget. */
export async function chunkerFor(budget: ChunkBudget | undefined): Promise<(result: Result) => Result> {
	if (budget === undefined) return (result) => result;
	const { countTokens } = await import('@wayleave/extract/tokens');
	const options = { maxTokens: budget.tokens, countTokens };
	return (result) =>
		result.document === undefined ? result : { ...result, chunks: chunkDocument(result.document, options) };
}
