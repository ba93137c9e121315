import { crc32, createInflateRaw } from 'node:zlib';

/** Undoes one deflate stream, piece by piece. */
export interface Inflater {
	/** Decompresses a piece. `rest`: how many of its bytes come after the end of the stream. */
	feed(piece: Uint8Array): Promise<{ readonly unpacked: readonly Uint8Array[]; readonly rest?: number }>;
	/** Of all that has come out. */
	readonly crc: number;
	readonly length: number;
	destroy(): void;
}

export function startInflater(): Inflater {
	const inflate = createInflateRaw({ chunkSize: 65_536 });
	let unpacked: Uint8Array[] = [];
	let fed = 0;
	let [crc, length] = [0, 0];
	let pending: { resolve: (over: boolean) => void; reject: (error: Error) => void } | undefined;
	inflate.on('data', (piece: Uint8Array) => {
		unpacked.push(piece);
		crc = crc32(piece, crc);
		length += piece.length;
	});
	inflate.on('end', () => pending?.resolve(true));
	inflate.on('error', (error) => pending?.reject(error));
	return {
		async feed(piece) {
			unpacked = [];
			fed += piece.length;
			const over = await new Promise<boolean>((resolve, reject) => {
				pending = { resolve, reject };
				inflate.write(piece, (error) => {
					if (!error) resolve(false);
				});
			});
			// zlib says how much it has used, and ends its stream only when something is left.
			return over ? { unpacked, rest: fed - inflate.bytesWritten } : { unpacked };
		},
		get crc() {
			return crc;
		},
		get length() {
			return length;
		},
		destroy: () => inflate.destroy(),
	};
}
