import { TextDecoder } from '@exodus/bytes/encoding.js';

const tables = new Map<string, Map<string, number[]>>();

/** Text in a legacy encoding, by trying all one- and two-byte sequences once: for tests. */
export function encode(encoding: string, text: string): Uint8Array {
	let table = tables.get(encoding);
	if (table === undefined) {
		table = new Map();
		const decoder = new TextDecoder(encoding, { fatal: true });
		const tryBytes = (bytes: number[]): void => {
			try {
				const character = decoder.decode(Uint8Array.from(bytes));
				if ([...character].length === 1 && !table!.has(character)) table!.set(character, bytes);
			} catch {
				// Not a character.
			}
		};
		for (let a = 0; a < 256; a++) tryBytes([a]);
		for (let a = 0x81; a < 255; a++) for (let b = 0x40; b < 255; b++) tryBytes([a, b]);
		tables.set(encoding, table);
	}
	return Uint8Array.from([...text].flatMap((c) => table.get(c) ?? fail(encoding, c)));
}

function fail(encoding: string, character: string): never {
	throw new Error(`${encoding} has no ${character}`);
}
