/**
 * A URL, or undefined if the text is invalid: `URL.parse` of later versions of Node.
 *
 * `URL.canParse` of Node 20 and 22 does not do: once it is compiled, which a few thousand calls bring about, it takes a
 * character such as `ü` for a broken one, and a host with it for an invalid one. It would also parse nearly all of them
 * twice.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}
