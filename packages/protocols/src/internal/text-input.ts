/** A text as it arrived, ready to be read. */
export interface TextInput {
	readonly text: string;
	/** Start of reading, after a byte order mark. */
	readonly start: number;
	/** False when bytes are not UTF-8; the text is then empty. */
	readonly validUtf8: boolean;
}

/** Takes text as it is and decodes bytes as UTF-8, without guessing. Offsets count the byte order mark. */
export function readText(input: string | Uint8Array): TextInput {
	if (typeof input === 'string') return { text: input, start: markLength(input), validUtf8: true };
	try {
		const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input);
		return { text, start: markLength(text), validUtf8: true };
	} catch {
		return { text: '', start: 0, validUtf8: false };
	}
}

function markLength(text: string): number {
	return text.charCodeAt(0) === 0xfeff ? 1 : 0;
}
