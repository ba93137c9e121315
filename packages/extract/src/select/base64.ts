const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes base64 without padding. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
	const codes = new Uint8Array(128);
	for (let i = 0; i < ALPHABET.length; i++) codes[ALPHABET.charCodeAt(i)] = i;
	const bytes = new Uint8Array((text.length * 3) >> 2);
	let bits = 0;
	let held = 0;
	let at = 0;
	for (let i = 0; i < text.length; i++) {
		held = ((held << 6) | codes[text.charCodeAt(i)]!) & 0xffffff;
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			bytes[at++] = held >> bits;
		}
	}
	return bytes;
}
