import { pairBlocks } from './pair-blocks.ts';

/** A line of both texts (` `), of the old one alone (`-`), or of the new one alone (`+`). */
export interface MarkedLine {
	readonly mark: ' ' | '-' | '+';
	readonly line: string;
}

/**
 * The lines of two texts, in order: those that are not `+` are the old text, those that are not `-` the new one. A line
 * that has moved is in it twice. Takes n log n steps for n lines.
 */
export function diffLines(old: readonly string[], next: readonly string[]): MarkedLine[] {
	const { sources, inPlace } = pairBlocks(old, next);
	const lines: MarkedLine[] = [];
	let added: MarkedLine[] = [];
	let passed = 0;
	// Removals come before insertions at the same place.
	const flush = (end: number) => {
		for (; passed < end; passed++) lines.push({ mark: '-', line: old[passed] as string });
		lines.push(...added);
		added = [];
	};
	for (const [at, line] of next.entries()) {
		if (inPlace[at] !== 1) {
			added.push({ mark: '+', line });
			continue;
		}
		flush(sources[at] as number);
		lines.push({ mark: ' ', line });
		passed++;
	}
	flush(old.length);
	return lines;
}
