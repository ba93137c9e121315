import { promisify } from 'node:util';
import { constants, gunzip } from 'node:zlib';
import type { SitemapProblemCode } from './sitemap-problems.ts';

const inflate = promisify(gunzip);

/** Compressed files come inside compressed responses; deeper nesting has not been seen. */
const maxLayers = 3;

/**
 * Takes off every layer of gzip, by the first two bytes and not by what the name or the headers say.
 * Damaged data gives what could be read of it.
 */
export async function gunzipAll(
	bytes: Uint8Array,
	maxBytes: number,
): Promise<{ bytes: Uint8Array; problem?: SitemapProblemCode }> {
	let content = bytes;
	for (let layer = 0; layer < maxLayers && content[0] === 0x1f && content[1] === 0x8b; layer++) {
		try {
			// With a sync flush at the end, data that breaks off is no error.
			content = await inflate(content, { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH });
		} catch (error) {
			const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
			return { bytes: new Uint8Array(), problem: tooLarge ? 'sitemap-too-large' : 'sitemap-gzip-broken' };
		}
	}
	return { bytes: content };
}
