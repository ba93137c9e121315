import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { createDeflateDecoder } from './decode-deflate.ts';
import { createZstdDecoder } from './decode-zstd.ts';
import { FetchError } from './failure.ts';

const maxCodings = 4;

const decoders: Readonly<Record<string, () => Transform>> = {
	gzip: createGunzip,
	'x-gzip': createGunzip,
	deflate: createDeflateDecoder,
	br: createBrotliDecompress,
	zstd: createZstdDecoder,
};

/** Codings that exist and that nobody can undo here: their bytes are not the content. */
const unsupported = new Set(['compress', 'x-compress', 'dcb', 'dcz', 'exi', 'pack200-gzip', 'aes128gcm']);

/**
 * The decoders for a list of codings in the order applied (RFC 9110 §8.4), first to use first. Labels that are no
 * coding at all (`none`, `utf-8`) are passed over, as browsers do.
 */
export function contentDecoders(codings: readonly string[]): Transform[] {
	const known = codings.filter((coding) => decoders[coding] !== undefined || unsupported.has(coding));
	const foreign = known.find((coding) => unsupported.has(coding));
	if (foreign !== undefined) throw new FetchError('bad-encoding', `the coding ${foreign} was not asked for`);
	if (known.length > maxCodings) throw new FetchError('bad-encoding', `${known.length} codings, one inside the other`);
	return known.reverse().map((coding) => decoders[coding]!());
}
