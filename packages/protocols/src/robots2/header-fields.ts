/** Header fields as they came: a `Headers`, a `Map`, pairs, or an object whose values may be lists. */
export type HeaderFields =
	| Iterable<readonly [name: string, value: string]>
	| Readonly<Record<string, string | readonly string[] | undefined>>;

/** All values of one field in their order, whatever the case of its name. */
export function headerValues(headers: HeaderFields, name: string): string[] {
	const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
	return pairs.flatMap(([key, value]) =>
		value !== undefined && key.toLowerCase() === name ? (value as string | readonly string[]) : [],
	);
}

/** The members of a list field: HTTP may join repeated fields with commas. */
export function headerList(headers: HeaderFields, name: string): string[] {
	return headerValues(headers, name)
		.flatMap((value) => value.split(','))
		.map((value) => value.trim())
		.filter((value) => value !== '');
}
