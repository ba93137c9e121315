import { readFileSync } from 'node:fs';

/** A text file that a person wrote, or stdin (0). Some shells of Windows write UTF-16, with the mark that tells. */
export function readTextFile(file: string | number): string {
	const bytes = readFileSync(file);
	const mark = bytes.toString('hex', 0, 2);
	const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
	// The decoder takes the mark away.
	return new TextDecoder(encoding).decode(bytes);
}
