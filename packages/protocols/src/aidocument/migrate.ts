import { isObject } from '../internal/json-schema.ts';
import { documentRef, type Sha256 } from './ref.ts';
import { isHeadingHierarchyOk } from './signals.ts';
import type { AIDocument, CacheInfo, FreshnessPolicy, Heading } from './types.ts';

/** The fifteen fields of 1.0 that live on, and where (AIWebIndex 2.0 §4.4). */
export const migrationMap = [
	['url', 'source.url'],
	['canonical_url', 'source.canonical_url'],
	['title', 'identity.title'],
	['description', 'identity.description'],
	['markdown', 'content.markdown'],
	['headings', 'structure.headings'],
	['links', 'structure.links'],
	['images', 'structure.images'],
	['structured_data', 'structure.structured_data'],
	['meta.language', 'identity.language'],
	['meta.word_count', 'signals.word_count'],
	['meta.reading_time', 'signals.reading_time'],
	['crawl.fetched_at', 'source.fetched_at'],
	['crawl.status_code', 'source.status_code'],
	['crawl.render_mode', 'source.render_mode'],
] as const satisfies readonly (readonly [from: string, to: string])[];

export interface MigrationOptions {
	/** The policy of the present call, which 1.0 did not record. Default `cache_first`. */
	readonly freshnessPolicy?: FreshnessPolicy;
	/** The cache result of the present call. Default: a stored copy was read, without a request. */
	readonly cache?: CacheInfo;
	/** With it the new document gets a `ref`. */
	readonly sha256?: Sha256;
}

const storedCopy: CacheInfo = { status: 'hit', origin_contacted: false, body_fetched: false };

/** What a 1.0 document has values for. */
type Group = Exclude<keyof AIDocument, 'economics'>;

/**
 * Moves the fields of a 1.0 document to their places in 2.0. Values are moved as they are, nulls are left out;
 * the two booleans that 2.0 guarantees are computed. What comes out has still to be checked: so may be `parseAIDocument`.
 */
export function migrateAIDocument(
	legacy: Readonly<Record<string, unknown>>,
	options: MigrationOptions = {},
): AIDocument {
	const groups: Record<Group, Record<string, unknown>> = {
		schema: { name: 'AIDocument', version: '2.0' },
		source: {},
		cache: { ...(options.cache ?? storedCopy) },
		identity: {},
		content: {},
		structure: {},
		signals: {},
	};
	for (const [from, to] of migrationMap) {
		const value = valueAt(legacy, from);
		const [group, name] = to.split('.') as [Group, string];
		if (value !== undefined && value !== null) groups[group][name] = value;
	}
	groups.source.freshness_policy = options.freshnessPolicy ?? 'cache_first';
	const { headings, structured_data: data } = groups.structure;
	groups.signals.has_json_ld = isObject(data) && Object.keys(data).length > 0;
	groups.signals.heading_hierarchy_ok = isHeadingList(headings) && isHeadingHierarchyOk(headings);
	const document = groups as unknown as AIDocument;
	if (options.sha256 !== undefined) document.schema.ref = documentRef(document, options.sha256);
	return document;
}

/** Translates a pointer into the migrated document to the 1.0 document. */
export function legacyPointer(pointer: string): string {
	for (const [from, to] of migrationMap) {
		const path = `/${to.replace('.', '/')}`;
		if (pointer === path || pointer.startsWith(`${path}/`))
			return `/${from.replace('.', '/')}${pointer.slice(path.length)}`;
	}
	return pointer;
}

function valueAt(legacy: Readonly<Record<string, unknown>>, path: string): unknown {
	let value: unknown = legacy;
	for (const name of path.split('.')) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
	return value;
}

function isHeadingList(value: unknown): value is Heading[] {
	return Array.isArray(value) && value.every((heading) => isObject(heading) && typeof heading.level === 'number');
}
