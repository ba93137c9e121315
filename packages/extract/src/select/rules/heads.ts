import type { Segments } from '../read/blocks.ts';
import type { Flags } from '../read/flags.ts';
import { rankOf } from '../read/title-block.ts';

/**
 * Keeps each heading whose text directly below is kept, in the same part of the page.
 *
 * @param titles of the page: its heading is already in the metadata
 */
export function keepHeads({ blocks }: Segments, keep: Flags, titles: readonly string[]): Flags {
	const kept = keep.slice();
	const first = keep.indexOf(1);
	for (let i = blocks.length - 2; i >= 0; i--) {
		const block = blocks[i]!;
		if (kept[i] || rankOf(block) === 0 || block.box.hidden || !kept[i + 1]) continue;
		const below = rankOf(blocks[i + 1]!);
		if (rankOf(block) === 1 && (first < 0 || first >= i || titles.some((title) => title.includes(block.text))))
			continue;
		kept[i] = below === 0 || below > rankOf(block) ? 1 : 0;
	}
	return kept;
}
