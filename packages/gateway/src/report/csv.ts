/**
 * A table as CSV (RFC 4180), with a line of column names.
 *
 * @param times columns in milliseconds since 1970, written as ISO 8601
 */
export function formatCsv<Row extends object>(
	columns: readonly (keyof Row & string)[],
	rows: readonly Row[],
	times: readonly (keyof Row)[] = [],
): string {
	const lines = rows.map((row) =>
		columns.map((column) => {
			const value = row[column];
			return csvField(times.includes(column) ? new Date(value as number).toISOString() : String(value ?? ''));
		}),
	);
	return [columns, ...lines].map((fields) => `${fields.join(',')}\r\n`).join('');
}

/** Text from outside must not become a formula in a spreadsheet. */
function csvField(text: string): string {
	const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+$/.test(text) ? `'${text}` : text;
	return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
