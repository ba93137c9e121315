import type { Transform } from 'node:stream';
import { createBrotliDecompress } from 'node:zlib';
import { DeflateDecoder } from './decode-deflate.ts';
import { GzipDecoder } from './decode-gzip.ts';
import { ZstdDecoder } from './decode-zstd.ts';
import { FetchError } from './failure.ts';

const maxCodings = 4;

const decoders = new Map<string, () => Transform>([
	['gzip', () => new GzipDecoder()],
	['x-gzip', () => new GzipDecoder()],
	['deflate', () => new DeflateDecoder()],
	['br', () => createBrotliDecompress({ chunkSize: 32_768 })],
	['zstd', () => new ZstdDecoder()],
]);

/** Codings that exist but are not supported here: their bytes are not the content. */
const unsupported = new Set(['compress', 'x-compress', 'dcb', 'dcz', 'exi', 'pack200-gzip', 'aes128gcm']);

/**
 * The decoders for a list of codings in the order applied (RFC 9110 §8.4), first to use first. Labels that are no
 * coding at all (`none`, `utf-8`) are passed over, as browsers do.
 */
export function contentDecoders(codings: readonly string[]): Transform[] {
	const known = codings.filter((coding) => decoders.has(coding) || unsupported.has(coding));
	const foreign = known.find((coding) => unsupported.has(coding));
	if (foreign !== undefined)
		throw new FetchError(
			'bad-encoding',
			`the content coding ${foreign} is not supported and was not in Accept-Encoding`,
		);
	if (known.length > maxCodings) throw new FetchError('bad-encoding', `${known.length} nested content codings`);
	return known.reverse().flatMap((coding) => decoders.get(coding)?.() ?? []);
}
