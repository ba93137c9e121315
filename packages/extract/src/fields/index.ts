import type { Document } from '../dom/node.ts';
import { walk } from '../dom/walk.ts';
import { once } from '../metadata/once.ts';
import { baseUrlOf, hostOf } from '../metadata/urls.ts';
import type { FieldReader, Fields, ReadablePage } from '../types.ts';
import { type FieldEvidence, Filler } from './fill.ts';
import { itemsOf, itemsOfStored } from './items.ts';
import { compileSchema } from './schema.ts';
import { ElementFinder } from './select.ts';
import { statementsOf } from './statements.ts';

/** Reads the fields of one schema. */
export interface SchemaReader extends FieldReader {
	/** The schema itself, as it was given. */
	readonly json: unknown;
	/** JSON pointer of the first `x-select` of the schema; absent if there is none. Stored documents cannot answer it. */
	readonly selectAt?: string;
}

/**
 * Reads a JSON Schema (draft 2020-12 or draft-07) whose fields are to be filled from pages.
 *
 * ```ts
 * const fields = await readFieldSchema({ title: 'Product', type: 'object', properties: { price: { type: 'number' } } });
 * const { page } = extract(html, url, { fields });
 * page.fields?.values; // { price: 12.5 }
 * ```
 *
 * @throws FieldSchemaError names the first keyword that is not supported, by JSON pointer
 */
export async function readFieldSchema(schema: unknown): Promise<SchemaReader> {
	const { root, digest, selectAt } = await compileSchema(schema);
	return {
		schema: digest,
		json: schema,
		...(selectAt !== undefined && { selectAt }),
		read(page) {
			const filler = new Filler(evidenceOf(page));
			const values = filler.root(root) as Fields['values'];
			const { sources, missing, invalid, ambiguous } = filler;
			return {
				schema: digest,
				basis: page.html === undefined ? 'document' : 'html',
				valid: !filler.isIncomplete && !(Array.isArray(values) && values.length === 0 && missing.length > 0),
				values,
				sources,
				missing,
				...(invalid.length > 0 && { invalid }),
				...(ambiguous.length > 0 && { ambiguous }),
			};
		},
	};
}

/** `page.structuredData` cuts longer texts. */
const storedText = 2_000;

function evidenceOf(given: ReadablePage): FieldEvidence {
	const { url, markdown, page, html, language = '', title, canonicalUrl } = given;
	const { metas, base } = html === undefined ? { metas: new Map(), base: undefined } : headOf(html);
	const headings = given.headings.filter(({ level }) => level === 1).map(({ text }) => text);
	const statements = once(() => statementsOf(markdown));
	return {
		language,
		base: baseUrlOf(base, url),
		items: html === undefined ? itemsOfStored(page.structuredData ?? []) : itemsOf(html),
		names: {
			titles: [page.title, title, ...headings].filter((name) => name !== undefined),
			urls: [url, canonicalUrl, page.address].filter((address) => address !== undefined),
		},
		metas,
		metadata: metadataOf(given),
		get statements() {
			return statements();
		},
		root: html?.html,
		finder: new ElementFinder(hostOf(url)),
		cutAt: html === undefined ? storedText : Number.POSITIVE_INFINITY,
	};
}

/** Metadata by the names that terms have. */
function metadataOf({ url, title, description, language, canonicalUrl, page }: ReadablePage) {
	const known: [string, string | readonly string[] | undefined][] = [
		['name', page.title ?? title],
		['headline', page.title ?? title],
		['description', description],
		['image', page.image],
		['url', canonicalUrl ?? page.address ?? url],
		['author', page.author],
		['datePublished', page.published],
		['dateModified', page.modified],
		['inLanguage', language],
		['language', language],
		['license', page.license],
		['publisher', page.siteName],
		['siteName', page.siteName],
	];
	return new Map(known.filter((entry): entry is [string, string | readonly string[]] => entry[1] !== undefined));
}

function headOf({ html }: Document): { metas: Map<string, string[]>; base: string | undefined } {
	const metas = new Map<string, string[]>();
	let base: string | undefined;
	walk(html, (node) => {
		if (node.kind !== 'element') return true;
		const { content, name, property, href } = node.attributes;
		if (node.tag === 'base') base ??= href;
		const key = (property ?? name)?.trim().toLowerCase();
		if (node.tag !== 'meta' || content === undefined || key === undefined) return true;
		const values = metas.get(key);
		if (values === undefined) metas.set(key, [content]);
		else values.push(content);
		return true;
	});
	return { metas, base };
}

export { type AmbiguousField, FieldSchemaError, type FieldSource, type Fields, type InvalidField } from './types.ts';
