// The package's own declarations pull in `@types/node`, which a pure room must not see; these are the parts we use.

/** The lower-case name of the encoding that a label stands for (Encoding §4.2), or null. */
export function normalizeEncoding(label: string): string | null;

export const TextDecoder: {
	new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): { decode(input?: Uint8Array): string };
};
