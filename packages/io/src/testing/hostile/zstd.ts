/** Zstandard frames (RFC 8878) made by hand: Node 20 has no encoder. */

const magic = [0x28, 0xb5, 0x2f, 0xfd];
const maxBlock = 0x20000;

function blockHeader(size: number, type: 0 | 1, last: boolean): number[] {
	const bits = (size << 3) | (type << 1) | (last ? 1 : 0);
	return [bits & 255, (bits >> 8) & 255, bits >> 16];
}

/** Window of 2 ** (10 + exponent) bytes, no content size, no checksum. */
function frameHeader(exponent: number): number[] {
	return [...magic, 0, exponent << 3];
}

/** One frame that holds the bytes as they are. */
export function zstdFrame(content: Uint8Array): Uint8Array {
	const blocks: Uint8Array[] = [Uint8Array.from(frameHeader(7))];
	for (let at = 0; at < content.length || at === 0; at += maxBlock) {
		const piece = content.subarray(at, at + maxBlock);
		blocks.push(Uint8Array.from(blockHeader(piece.length, 0, at + maxBlock >= content.length)), piece);
	}
	return Buffer.concat(blocks);
}

/** One frame that unpacks to so many zero bytes: four bytes for each 128 KiB. */
export function zstdZeros(length: number): Uint8Array {
	const bytes = frameHeader(7);
	for (let at = 0; at < length; at += maxBlock) {
		bytes.push(...blockHeader(Math.min(maxBlock, length - at), 1, at + maxBlock >= length), 0);
	}
	return Uint8Array.from(bytes);
}

/** One frame with a window of 2 ** (10 + exponent) bytes and many blocks that hold nothing. */
export function zstdEmptyBlocks(count: number, exponent: number): Uint8Array {
	const bytes = frameHeader(exponent);
	for (let block = 1; block <= count; block++) bytes.push(...blockHeader(0, 0, block === count));
	return Uint8Array.from(bytes);
}
