import { pageWithoutFields } from '../model/fields.ts';
import type { Result } from '../model/result.ts';

type Cell = string | number | Date | object | null;

/** Value types that the writer accepts for each column type: another would end the crawl at its end. */
interface Values {
	STRING: string;
	INT32: number;
	/** ISO 8601. */
	TIMESTAMP: string;
	JSON: object;
}

type Column = {
	[Type in keyof Values]: {
		readonly type: Type;
		/** Every row has a value. */
		readonly required?: true;
		read(result: Result): Values[Type] | undefined;
	};
}[keyof Values];

/** The columns of a Parquet file, in order. `docs/reference/sinks.md` explains them. */
export const parquetColumns = {
	url: { type: 'STRING', required: true, read: ({ url }) => url },
	outcome: { type: 'STRING', required: true, read: ({ outcome }) => outcome },
	reason: { type: 'STRING', read: ({ reason }) => reason },
	detail: { type: 'STRING', read: ({ detail }) => detail },
	status: { type: 'INT32', read: ({ status }) => status },
	redirected_to: { type: 'STRING', read: ({ redirectedTo }) => redirectedTo },
	found_on: { type: 'STRING', read: ({ foundOn }) => foundOn },
	depth: { type: 'INT32', required: true, read: ({ depth }) => depth },
	at: { type: 'TIMESTAMP', required: true, read: ({ at }) => at },
	fetched_at: { type: 'TIMESTAMP', read: ({ document }) => document?.source.fetched_at },
	title: { type: 'STRING', read: ({ document, page }) => page?.title ?? document?.identity.title },
	description: { type: 'STRING', read: ({ document }) => document?.identity.description },
	language: { type: 'STRING', read: ({ document }) => document?.identity.language },
	content_type: { type: 'STRING', read: ({ document }) => document?.identity.content_type },
	author: { type: 'STRING', read: ({ page }) => page?.author?.join('; ') },
	published: { type: 'STRING', read: ({ page }) => page?.published },
	modified: { type: 'STRING', read: ({ page }) => page?.modified },
	canonical_url: { type: 'STRING', read: ({ document }) => document?.source.canonical_url },
	markdown: { type: 'STRING', read: ({ document }) => document?.content.markdown },
	document: { type: 'JSON', read: ({ document }) => document },
	policy: { type: 'JSON', read: ({ policy }) => policy },
	page: { type: 'JSON', read: ({ page }) => pageWithoutFields(page) },
	representation: { type: 'JSON', read: ({ representation }) => representation },
	evidence: { type: 'JSON', read: ({ evidence }) => evidence },
} as const satisfies Readonly<Record<string, Column>>;

/** The values of a result in the order of the columns. */
export function parquetRow(result: Result): readonly Cell[] {
	return Object.values<Column>(parquetColumns).map(({ type, read }) => toCell(type, read(result)));
}

/** About how many characters a row takes: its Markdown is in it twice, and what surrounds it is seldom long. */
export function parquetRowSize({ document }: Result): number {
	return 2000 + 2 * (document?.content.markdown.length ?? 0);
}

function toCell(type: Column['type'], value: Values[Column['type']] | undefined): Cell {
	if (value === undefined) return null;
	return type === 'TIMESTAMP' ? new Date(value as string) : value;
}
