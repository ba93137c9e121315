import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { ParquetWriter } from 'hyparquet-writer';
import { fieldsOf } from '../model/fields.ts';
import { holdsBytes } from './committed-file.ts';
import { chunksOf, isWritten, type LineOptions } from './line.ts';
import { parquetColumns, parquetRow, parquetRowSize } from './parquet-columns.ts';
import { partFile } from './part-file.ts';
import type { Sink } from './types.ts';

/** Largest row group in rows, and in characters: it bounds the memory of the writer and of readers. */
const maxRows = 10_000;
const maxCharacters = 16 << 20;

/**
 * A Parquet file, one row for each result. Such a file has its table of contents at its end and cannot be continued. So
 * a crawl writes it when it ends, from all that the store holds: to a part beside it, which takes the place of the file
 * when it is whole. A crash leaves the file of the last run as it was, and the next end of the crawl writes the new one.
 */
export function parquetSink(file: string, options: LineOptions = {}): Sink {
	const path = resolve(file);
	let open: { readonly writer: ParquetWriter; readonly type: Column[]; readonly part: string } | undefined;
	let rows: (readonly unknown[])[] = [];
	let size = 0;

	function flush(): void {
		if (open === undefined) throw new Error('the file is not open');
		const { writer, type } = open;
		const columnData = type.map((column, at) => ({ ...column, data: rows.map((cells) => cells[at]) }));
		writer.write({ columnData, rowGroupSize: Math.max(1, rows.length) });
		rows = [];
		size = 0;
	}

	return {
		name: `parquet ${path}`,
		persistent: true,
		whole: true,
		overwrites: true,
		holds: () => holdsBytes(path),
		async open() {
			// Loaded only by those who want it.
			const { fileWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer');
			await mkdir(dirname(path), { recursive: true });
			const type = columns(options);
			const schema = schemaFromColumnData({ columnData: type.map((column) => ({ ...column, data: [] })) });
			const part = await partFile(path);
			open = { writer: new ParquetWriter({ writer: fileWriter(part), schema, createdBy: 'wayleave' }), type, part };
			rows = [];
			size = 0;
		},
		async write(results) {
			for (const result of results) {
				if (!isWritten(result, options)) continue;
				const chunks = chunksOf(result, options);
				const fields = options.fields ? [fieldsOf(result, options.fields) ?? null] : [];
				rows.push([...parquetRow(result), ...fields, ...(options.chunks ? [chunks ?? null] : [])]);
				size += parquetRowSize(result);
				if (rows.length >= maxRows || size >= maxCharacters) flush();
			}
			return undefined;
		},
		async close() {
			if (open === undefined) return;
			if (rows.length > 0) flush();
			const { writer, part } = open;
			writer.finish();
			await rename(part, path);
			open = undefined;
		},
		async abandon() {
			const part = open?.part;
			open = undefined;
			if (part !== undefined) await rm(part, { force: true });
		},
	};
}

interface Column {
	readonly name: string;
	readonly type: 'STRING' | 'INT32' | 'TIMESTAMP' | 'JSON';
	readonly nullable: boolean;
	readonly statistics: boolean;
}

function columns({ chunks, fields }: LineOptions): Column[] {
	const own = Object.entries(parquetColumns).map(([name, { type, ...more }]) => ({
		name,
		type,
		nullable: !('required' in more),
		// Of JSON these would be two whole documents for each row group, which every reader loads before anything else.
		statistics: type !== 'JSON',
	}));
	const further = [...(fields === undefined ? [] : ['fields']), ...(chunks === undefined ? [] : ['chunks'])];
	return [...own, ...further.map((name) => ({ name, type: 'JSON' as const, nullable: true, statistics: false }))];
}
