import type { Row } from './driver.ts';

/** Bytes as Buffers, as the drivers of SQLite and PostgreSQL return them that have them already. Changes the row. */
export function withBuffers(row: Row): Row {
	for (const name in row) {
		const value = row[name];
		if (value instanceof Uint8Array) row[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
	}
	return row;
}

/** Whether a statement returns rows: its program has an instruction that does. */
export const returnsRows = (program: readonly Row[]): boolean => program.some(({ opcode }) => opcode === 'ResultRow');
