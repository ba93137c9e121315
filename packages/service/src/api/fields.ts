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

/** Served documents of a crawl with `--fields` → the same without these, so that their representations are kept. */
const plain = new WeakMap<Served, Served>();

/**
 * The same with the fields of a schema, and none without: those of a crawl that filled this store were asked for by the
 * crawl. The copy is not kept: it would be one per schema.
 */
export function withFields(served: Served, reader: SchemaReader | undefined): Served {
	const { result } = served;
	const fields = reader && fieldsOf(result, reader);
	if (fields !== undefined) return { ...served, result: { ...result, page: { ...result.page, fields } } };
	if (result.page?.fields === undefined) return served;
	const { fields: _, ...page } = result.page;
	const known = plain.get(served) ?? { ...served, result: { ...result, page } };
	plain.set(served, known);
	return known;
}
