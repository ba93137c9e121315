import type { Segments } from './blocks.ts';
import { rankOf } from './title-block.ts';

/** Keeps each heading of which the text directly below is kept. */
export function keepHeads({ blocks }: Segments, keep: readonly boolean[]): boolean[] {
	const kept = [...keep];
	for (let i = blocks.length - 2; i >= 0; i--) {
		const block = blocks[i]!;
		if (kept[i] || rankOf(block) === 0 || block.box.hidden || !kept[i + 1]) continue;
		kept[i] = rankOf(blocks[i + 1]!) === 0 || rankOf(blocks[i + 1]!) > rankOf(block);
	}
	return kept;
}
