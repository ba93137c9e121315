import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fieldsOf, type Result } from '@wayleave/crawler';
import type { SchemaReader } from '@wayleave/extract/fields';
import { fileError } from '@wayleave/io/messages';
import { type Terminal, UsageError } from '../../terminal/command.ts';
import { isArchive } from '../output/destination.ts';

export interface FieldFlags {
	fields?: string;
}

/**
 * Reads the schema before anything is requested.
 *
 * @throws UsageError names the keyword that is not supported
 */
export async function fieldOptions({ fields }: FieldFlags, terminal: Terminal): Promise<{ fields?: SchemaReader }> {
	if (fields === undefined) return {};
	const { FieldSchemaError, readFieldSchema } = await import('@wayleave/extract/fields');
	const text = await readFile(resolve(terminal.cwd, fields), 'utf8').catch((error: unknown) => {
		throw new UsageError(`--fields ${fields}: ${(fileError(error, fields, 'read') as Error).message}`);
	});
	try {
		return { fields: await readFieldSchema(JSON.parse(text.replace(/^\ufeff/, ''))) };
	} catch (error) {
		if (error instanceof SyntaxError) throw new UsageError(`--fields ${fields}: it is not JSON: ${error.message}`);
		if (error instanceof FieldSchemaError) throw new UsageError(`--fields ${fields}: ${error.message}`);
		throw error;
	}
}

/** A document with its fields, to be printed. */
export const withFields = (result: Result, fields?: SchemaReader) => ({
	url: result.url,
	fields: fieldsOf(result, fields),
	document: result.document,
});

/** @throws UsageError if the only outputs are archives, which hold responses */
export function refuseLostFields({ fields }: FieldFlags, outs: readonly string[]): void {
	if (fields !== undefined && outs.length > 0 && outs.every(isArchive))
		throw new UsageError(`--fields ${fields}: an archive holds responses, not fields: name another output with --out`);
}
