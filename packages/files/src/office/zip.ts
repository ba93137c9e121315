import { unzipSync } from 'fflate';
import { FileError, messageOf } from '../errors.ts';

/** Entries of an archive at most. */
const maxEntries = 20_000;

/**
 * The wanted files of a ZIP archive.
 *
 * @param size bytes that all files of the archive have unpacked, at most
 * @throws FileError
 */
export function unpack(bytes: Uint8Array, wants: (name: string) => boolean, size: number): Map<string, Uint8Array> {
	let [total, count] = [0, 0];
	try {
		const files = unzipSync(bytes, {
			filter: ({ name, originalSize }) => {
				total += originalSize;
				if (total > size) throw tooLarge(size);
				if (++count > maxEntries)
					throw new FileError('file-over-limit', `the archive has more than ${maxEntries} files`);
				return wants(name);
			},
		});
		return new Map(Object.entries(files));
	} catch (error) {
		if (error instanceof FileError) throw error;
		throw new FileError('file-damaged', `the archive cannot be unpacked: ${messageOf(error)}`);
	}
}

const tooLarge = (size: number) =>
	new FileError('file-over-limit', `unpacked, the file has more than ${size / 2 ** 20} MiB`);
