const digits = Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, '0'));

/** Octets as lower-case hexadecimal digits. */
export function hexOf(octets: Uint8Array): string {
	let text = '';
	for (const octet of octets) text += digits[octet];
	return text;
}
