/** Octets as lower-case hexadecimal digits. */
export function hexOf(octets: Uint8Array): string {
	return Array.from(octets, (octet) => octet.toString(16).padStart(2, '0')).join('');
}
