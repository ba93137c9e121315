import { unzipSync } from 'fflate';
import { FileError, messageOf } from '../errors.ts';

/** Entries of an archive at most. */
const maxEntries = 20_000;

/**
 * The wanted files of a ZIP archive.
 *
 * @param size bytes that the wanted files have unpacked, at most; others stay packed
 * @throws FileError
 */
export function unpack(bytes: Uint8Array, wants: (name: string) => boolean, size: number): Map<string, Uint8Array> {
	// A compound file: encrypted, or a format before these (MS-OFFCRYPTO §2.3).
	if (bytes[0] === 0xd0 && bytes[1] === 0xcf) throw compound(bytes);
	let [total, count] = [0, 0];
	try {
		const files = unzipSync(bytes, {
			filter: ({ name, originalSize }) => {
				if (++count > maxEntries)
					throw new FileError('file-over-limit', `the archive has more than ${maxEntries} files`);
				if (!wants(name)) return false;
				total += originalSize;
				if (total > size) throw tooLarge(size);
				return true;
			},
		});
		return new Map(Object.entries(files));
	} catch (error) {
		if (error instanceof FileError) throw error;
		throw new FileError('file-damaged', `the archive cannot be unpacked: ${messageOf(error)}`);
	}
}

function compound(bytes: Uint8Array): FileError {
	const isEncrypted = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(encryptedPackage);
	return isEncrypted
		? new FileError('file-encrypted', 'the file needs a password')
		: new FileError('file-damaged', 'the file has the older format of Word, Excel or PowerPoint, which is not read');
}

/** The stream of a compound file that holds the encrypted archive. */
const encryptedPackage = Buffer.from('EncryptedPackage', 'utf16le');

const tooLarge = (size: number) =>
	new FileError('file-over-limit', `unpacked, the file has more than ${size / 2 ** 20} MiB`);
