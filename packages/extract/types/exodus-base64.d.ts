// The package's own declarations pull in `@types/node`, which a pure room must not see; these are the parts we use.

/** Decodes base64 with or without padding; throws on other text. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer>;
