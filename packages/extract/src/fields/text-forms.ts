/** A label for comparison: words in lower case, without marks and without the colon behind it. */
export function labelForm(label: string): string {
	return label
		.slice(0, 200)
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim();
}

/** A name as a segment of a JSON pointer (RFC 6901 §3). */
export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
