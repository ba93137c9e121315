import type { Block } from './box.ts';

/**
 * For each block 1 or 0, such as whether it is kept. V8 has several forms of an array of booleans, by how it was made, and
 * compiles a function again for each that comes to it; an array of bytes has one.
 */
export type Flags = Uint8Array;

export function flagsOf(blocks: readonly Block[], isSet: (block: Block, index: number) => boolean): Flags {
	const flags = new Uint8Array(blocks.length);
	for (let i = 0; i < blocks.length; i++) if (isSet(blocks[i]!, i)) flags[i] = 1;
	return flags;
}
