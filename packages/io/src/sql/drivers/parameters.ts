/**
 * Parameters as better-sqlite3 binds them: a missing value is null, values without an SQL type are refused. Others would
 * take an object in the first place for named parameters, or `true` for 1.
 *
 * @throws TypeError
 */
export function bindable<Value>(parameters: readonly unknown[]): Value[] {
	return parameters.map((value) => {
		if (value === undefined) return null;
		const isBindable = value === null || /^(?:number|string|bigint)$/.test(typeof value) || value instanceof Uint8Array;
		if (!isBindable) throw new TypeError('SQLite3 can only bind numbers, strings, bigints, buffers, and null');
		return value;
	}) as Value[];
}
