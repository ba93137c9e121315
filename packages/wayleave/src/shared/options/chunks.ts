import type { ChunkOptions } from '@wayleave/extract';
import { Option } from 'commander';
import { UsageError } from '../../terminal/command.ts';
import { outFormatOf, outFormatsText } from '../output/formats.ts';
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

/** @throws UsageError if no output has a place for chunks */
export function refuseLostChunks({ chunks }: ChunkFlags, outs: readonly string[]): void {
	if (chunks === undefined || outs.some((out) => outFormatOf(out)?.chunks)) return;
	throw new UsageError(
		`--chunks ${chunks}: none of the outputs can contain chunks: name one with --out: ${outFormatsText((format) => format.chunks)}`,
	);
}
