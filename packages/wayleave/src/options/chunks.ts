import type { ChunkOptions } from '@wayleave/extract';
import { Option } from 'commander';
import { UsageError } from '../command.ts';
import { type OutFormat, outFormatOf, outFormatsText } from '../output/formats.ts';
import { wholeNumber } from './numbers.ts';

export interface ChunkFlags {
	chunks?: number;
}

export const chunksOption = (): Option =>
	new Option(
		'--chunks <TOKENS>',
		'also cut each document at its headings into chunks of at most this many tokens (cl100k_base)',
	).argParser(wholeNumber(1));

/** As an option of the sinks; the tokenizer takes time to load. */
export async function chunkOptions({ chunks }: ChunkFlags): Promise<{ chunks?: ChunkOptions }> {
	if (chunks === undefined) return {};
	const { countTokens } = await import('@wayleave/extract/tokens');
	return { chunks: { maxTokens: chunks, countTokens } };
}

const withoutChunks = ['warc', 'folder'] as const satisfies readonly OutFormat[];

function containsChunks(format: OutFormat | undefined): boolean {
	return format !== undefined && !withoutChunks.some((without) => without === format);
}

/** @throws UsageError if no output has a place for chunks */
export function refuseLostChunks({ chunks }: ChunkFlags, outs: readonly string[]): void {
	if (chunks === undefined || outs.some((out) => containsChunks(outFormatOf(out)))) return;
	throw new UsageError(
		`--chunks ${chunks}: none of the outputs can contain chunks: name one with --out: ${outFormatsText(...withoutChunks)}`,
	);
}
