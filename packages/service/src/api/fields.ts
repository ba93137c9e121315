import { fieldsOf, readDocumentSchema } from '@wayleave/crawler';
import type { SchemaReader } from '@wayleave/extract/fields';
import type { Served } from '../documents/served.ts';
import { ServiceError } from '../problems/problem.ts';

/**
 * Reads the schema of a request; undefined if it has none. It is loaded only for requests that have one.
 *
 * @throws ServiceError `bad-request` names the keyword that is not supported, and refuses selectors
 */
export async function schemaOf(fields: unknown): Promise<SchemaReader | undefined> {
	if (fields === undefined) return undefined;
	const read = await readDocumentSchema(fields);
	if (!('problem' in read)) return read;
	throw new ServiceError('bad-request', { errors: [{ path: `/fields${read.pointer}`, message: read.problem }] });
}

/** The same with the fields of a schema. The copy is not kept: it would be one per schema. */
export function withFields(served: Served, reader: SchemaReader | undefined): Served {
	const { result } = served;
	const fields = reader && fieldsOf(result, reader);
	return fields === undefined ? served : { ...served, result: { ...result, page: { ...result.page, fields } } };
}
