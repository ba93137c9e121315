import { decodeUtf16 } from '../internal/utf16.ts';

/** Default size limit of parsers, as for robots.txt (RFC 9309 §2.5). */
export const defaultMaxBytes = 500 * 1024;

/** The lines of a file without their ends, and whether its end was cut off. A byte order mark is dropped. */
export function readLines(
	input: string | Uint8Array,
	maxBytes: number,
): { lines: string[]; truncated: boolean; utf16?: true } {
	const bytes = typeof input === 'string' ? undefined : input;
	const utf16 = bytes && decodeUtf16(bytes.subarray(0, maxBytes));
	if (bytes !== undefined && utf16 !== undefined) {
		const truncated = bytes.length > maxBytes;
		const lines = split(utf16);
		return { lines: truncated ? lines.slice(0, -1) : lines, truncated, utf16: true };
	}
	const long = bytes ?? (input.length * 3 > maxBytes ? new TextEncoder().encode(input as string) : undefined);
	if (long === undefined) return { lines: split(input as string), truncated: false };
	if (long.length <= maxBytes) return { lines: split(new TextDecoder().decode(long)), truncated: false };
	// A line that was cut in two may say the opposite of the whole: only whole lines are read.
	const lines = split(new TextDecoder().decode(long.subarray(0, maxBytes)));
	return { lines: lines.slice(0, -1), truncated: true };
}

function split(text: string): string[] {
	return (text.startsWith('\uFEFF') ? text.slice(1) : text).split(/\r\n|\n|\r/);
}
