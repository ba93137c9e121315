import { type Readings, readingPresets } from '@wayleave/protocols/url';

/** How a JavaScript router reads a path: it decodes escapes, and folds what its options say. */
export interface RouterOptions {
	/** `/X` is another page than `/x`. */
	readonly caseSensitive: boolean;
	/** `/x/` is another page than `/x`. */
	readonly strict: boolean;
	/** `/x;a=1` is `/x`. */
	readonly semicolons?: boolean;
}

const made = new Map<string, Readings>();

/** The readings of a router; the same object for the same options. */
export function routerReadings({ caseSensitive, strict, semicolons = false }: RouterOptions): Readings {
	const key = `${caseSensitive} ${strict} ${semicolons}`;
	const known = made.get(key) ?? {
		...readingPresets.express,
		ignoreCase: !caseSensitive,
		ignoreTrailingSlash: !strict,
		pathParameters: semicolons,
	};
	made.set(key, known);
	return known;
}
