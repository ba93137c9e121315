const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Padded base64 (RFC 4648 §4). */
export function encodeBase64(bytes: Uint8Array): string {
	let text = '';
	for (let at = 0; at < bytes.length; at += 3) {
		const left = bytes.length - at;
		const bits = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
		text += alphabet[bits >> 18]! + alphabet[(bits >> 12) & 63]!;
		text += left > 1 ? alphabet[(bits >> 6) & 63] : '=';
		text += left > 2 ? alphabet[bits & 63] : '=';
	}
	return text;
}

/** Reads base64 with right or absent padding; undefined for anything else (RFC 9651 §4.2.7). */
export function decodeBase64(text: string): Uint8Array | undefined {
	const digits = text.replace(/={1,2}$/, '');
	if (digits.length % 4 === 1 || (digits.length !== text.length && text.length % 4 !== 0)) return undefined;
	const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
	let bits = 0;
	let held = 0;
	let at = 0;
	for (let i = 0; i < digits.length; i++) {
		const digit = alphabet.indexOf(digits[i]!);
		if (digit < 0) return undefined;
		bits = ((bits << 6) | digit) & 0xffff;
		held += 6;
		if (held < 8) continue;
		held -= 8;
		bytes[at++] = bits >> held;
	}
	return bytes;
}
