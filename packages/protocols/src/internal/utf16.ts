/**
 * Decodes bytes that are UTF-16: by their byte order mark, or by a zero byte in each of the first two characters.
 * Undefined for all others. UTF-8 text never begins with FE, FF or a NUL in every second byte.
 */
export function decodeUtf16(bytes: Uint8Array): string | undefined {
	const label = utf16Label(bytes);
	// An odd last byte is half a character.
	return label && new TextDecoder(label).decode(bytes.subarray(0, bytes.length - (bytes.length % 2)));
}

/** The byte order of the bytes. */
export function utf16Label(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
	const [a, b, c, d] = bytes;
	if ((a === 0xff && b === 0xfe) || (b === 0 && d === 0 && a && c)) return 'utf-16le';
	if ((a === 0xfe && b === 0xff) || (a === 0 && c === 0 && b && d)) return 'utf-16be';
	return undefined;
}

/** The text of bytes in UTF-8 or UTF-16, without its byte order mark. */
export function textOf(bytes: Uint8Array): string {
	return decodeUtf16(bytes) ?? new TextDecoder().decode(bytes);
}
