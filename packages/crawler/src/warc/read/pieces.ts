import { Bytes } from './bytes.ts';
import { startInflater } from './inflater.ts';
import type { WarcProblem } from './problems.ts';

/** The content of an archive as it is read, unpacked. */
export type Piece =
	/** A member of a compressed file begins at `offset`: a place where a record may begin. */
	| { readonly kind: 'member'; readonly offset: number }
	/** It ends, and its checksum is right. */
	| { readonly kind: 'whole' }
	/** `offset` is that of the bytes in a file that is not compressed. */
	| { readonly kind: 'data'; readonly bytes: Uint8Array; readonly offset: number }
	| { readonly kind: 'damage'; readonly problem: WarcProblem };

/** Fed to zlib at a time: what comes out of it lies in memory, up to a thousand times as much. */
const feed = 16_384;
const magic = Buffer.from([0x1f, 0x8b, 8]);

/** Reads a file from its bytes; whether it is compressed shows at its beginning, whatever its name says. */
export async function* readPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
	const bytes = new Bytes(source);
	if (!(await bytes.startsWith(magic))) {
		for (let chunk = await bytes.take(feed * 4); chunk !== undefined; chunk = await bytes.take(feed * 4))
			yield { kind: 'data', bytes: chunk, offset: bytes.offset - chunk.length };
		return;
	}
	while (await bytes.startsWith(magic)) {
		const offset = bytes.mark();
		yield { kind: 'member', offset };
		try {
			yield* unpackMember(bytes, offset);
			yield { kind: 'whole' };
		} catch (error) {
			const cut = error instanceof CutError;
			const detail = (error as Error).message;
			yield { kind: 'damage', problem: { code: cut ? 'warc-cut' : 'warc-compression-damaged', offset, detail } };
			// The next member is where its first bytes are; a false alarm is damaged in its turn.
			bytes.rewind();
			await bytes.take(1);
			await bytes.seek(magic);
			continue;
		}
		const between = bytes.offset;
		if (!(await bytes.startsWith(magic)) && (await bytes.take(1)) !== undefined) {
			yield {
				kind: 'damage',
				problem: { code: 'warc-compression-damaged', offset: between, detail: 'a gzip member was expected' },
			};
			await bytes.seek(magic);
		}
	}
}

class CutError extends Error {}

async function* unpackMember(bytes: Bytes, offset: number): AsyncGenerator<Piece> {
	await skipHeader(bytes);
	const inflater = startInflater();
	try {
		for (let ended = false; !ended; ) {
			const piece = await bytes.take(feed);
			if (piece === undefined) throw new CutError('the compressed data is truncated');
			const { unpacked, rest } = await inflater.feed(piece);
			for (const each of unpacked) yield { kind: 'data', bytes: each, offset };
			bytes.giveBack(rest ?? 0);
			ended = rest !== undefined;
		}
		const trailer = await bytes.exactly(8);
		if (trailer === undefined) throw new CutError('the checksum is missing');
		if (trailer.readUInt32LE(0) !== inflater.crc || trailer.readUInt32LE(4) !== inflater.length % 2 ** 32)
			throw new Error('the checksum is wrong');
	} finally {
		inflater.destroy();
	}
}

/** RFC 1952 §2.3. */
async function skipHeader(bytes: Bytes): Promise<void> {
	const need = async (length: number) => {
		const part = await bytes.exactly(length);
		if (part === undefined) throw new CutError('the gzip header is truncated');
		return part;
	};
	const flags = (await need(10)).readUInt8(3);
	if (flags & 4) await need((await need(2)).readUInt16LE(0));
	for (const text of [8, 16]) if (flags & text) for (let at = 0; (await need(1))[0] !== 0; at++) if (at > 65_536) break;
	if (flags & 2) await need(2);
}
