/** Makes members that can be null optional. */
type WithoutNulls<Row> = {
	[Key in keyof Row as null extends Row[Key] ? never : Key]: Row[Key];
} & {
	[Key in keyof Row as null extends Row[Key] ? Key : never]?: Exclude<Row[Key], null>;
};

/** The columns of a row that have a value, in their order. */
export function withoutNulls<Row extends object>(row: Row): WithoutNulls<Row> {
	const found: Record<string, unknown> = {};
	for (const key in row) if (row[key] !== null) found[key] = row[key];
	return found as WithoutNulls<Row>;
}
