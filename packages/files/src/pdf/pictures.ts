/** Pictures of a file that are looked at, and bytes of the dictionary of one, at most. */
const maxPictures = 20_000;
const maxDictionary = 4096;

/** A filter that decodes a picture, with a name as long that pdf.js does not know. */
const filters = /\/(?:DCT|JPX|JBIG2|CCITTFax)Decode\b/g;
const sizes = /(\/(?:Width|Height)\s+)(\d+)(?![\d.]|\s+\d+\s+R)/g;

/**
 * Makes every picture one pixel of raw bytes, in place: pdf.js then reports where it is painted, and decodes nothing. A stream
 * is never in a compressed object, so its dictionary is readable in every file (ISO 32000-1 §7.5.7).
 */
export function shrinkPictures(file: Uint8Array): void {
	const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
	let at = bytes.indexOf('/Image');
	for (let count = 0; at >= 0 && count < maxPictures; at = bytes.indexOf('/Image', at + 6)) {
		if (!/\/Subtype\s*$/.test(bytes.toString('latin1', Math.max(0, at - 12), at))) continue;
		count++;
		const from = at - Math.min(at, maxDictionary);
		const start = bytes.subarray(from, at).lastIndexOf('obj');
		const end = bytes.subarray(at, at + maxDictionary).indexOf('stream');
		if (start < 0 || end < 0) continue;
		const dictionary = bytes.toString('latin1', from + start, at + end);
		const shrunk = dictionary
			.replace(sizes, (_, name: string, digits: string) => name + '1'.padEnd(digits.length))
			.replace(filters, (name) => name.replace('Decode', 'Opaque'));
		bytes.write(shrunk, from + start, 'latin1');
	}
}
