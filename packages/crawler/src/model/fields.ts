import type { FieldReader, Fields, Page } from '@wayleave/extract';
import type { SchemaReader } from '@wayleave/extract/fields';
import { present } from '@wayleave/protocols';
import type { Result } from './result.ts';

/** A schema between threads. */
export interface FieldSchema {
	readonly digest: string;
	readonly json: unknown;
}

/** The schema that a thread read last: all pages of a crawl have the same. */
let known: { readonly digest: string; readonly reader: Promise<SchemaReader> } | undefined;

/** The reader of a schema that came from another thread. */
export async function readerOf({ digest, json }: FieldSchema): Promise<SchemaReader> {
	if (known?.digest !== digest) {
		const { readFieldSchema } = await import('@wayleave/extract/fields');
		known = { digest, reader: readFieldSchema(json) };
	}
	return known.reader;
}

/** Why a schema cannot be filled. */
export interface FieldSchemaFault {
	/** JSON pointer into the schema. */
	readonly pointer: string;
	readonly problem: string;
}

/**
 * Reads the schema of a caller who gets stored documents, whose HTML is gone: selectors are refused. The code is loaded
 * at the first schema.
 */
export async function readDocumentSchema(schema: unknown): Promise<SchemaReader | FieldSchemaFault> {
	const { FieldSchemaError, readFieldSchema } = await import('@wayleave/extract/fields');
	try {
		const reader = await readFieldSchema(schema);
		if (reader.selectAt === undefined) return reader;
		return {
			pointer: reader.selectAt,
			problem: 'selectors need the HTML of a page, which is not kept; remove x-select',
		};
	} catch (error) {
		if (error instanceof FieldSchemaError) return { pointer: error.pointer, problem: error.problem };
		throw error;
	}
}

/** Whether a stored page lacks the fields of the schema. */
export const lacksFields = (page: Page | undefined, digest: string | undefined): boolean =>
	digest !== undefined && page?.fields?.schema !== digest;

/** The fields of a result: those that were read from the page, else what its document and its metadata have. */
export function fieldsOf({ document, page }: Result, reader: FieldReader | undefined): Fields | undefined {
	if (reader === undefined || page?.fields?.schema === reader.schema) return page?.fields;
	if (document === undefined) return undefined;
	const { source, identity, content, structure } = document;
	const { title, description, language } = identity;
	return reader.read({
		url: source.url ?? '',
		markdown: content.markdown,
		page: page ?? {},
		headings: structure.headings ?? [],
		...present({ title, description, language, canonicalUrl: source.canonical_url }),
	});
}

/** The metadata of a page without its fields, which outputs have beside it. */
export function pageWithoutFields(page: Page | undefined): Page | undefined {
	if (page?.fields === undefined) return page;
	const { fields: _, ...rest } = page;
	return rest;
}
