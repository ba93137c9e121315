/** A percent-encoded text decoded as UTF-8; undefined where it is not well-formed. */
export function decodePercent(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
