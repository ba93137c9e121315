import {
	isSpent,
	type LeftOut,
	permittedFor,
	type Result,
	type Sink,
	type StoreView,
	type Use,
	writeToSinks,
} from '@wayleave/crawler';
import type { FieldReader } from '@wayleave/extract';

/** Documents left out for one cause. */
export interface LeftOutGroup extends Omit<LeftOut, 'use' | 'why'> {
	/** Absent for `spent`: the site has allowed one use, which was the visit that brought the document. */
	readonly use?: Use;
	readonly why: LeftOut['why'] | 'spent';
	count: number;
	/** One of them. */
	readonly example: string;
}

/** Counts of an export: written pages, and omitted ones with the reason. */
export interface Exported {
	readonly documents: number;
	/** URLs without a document. */
	readonly outcomes: number;
	readonly leftOut: readonly LeftOutGroup[];
	/** Documents whose fields are read without the HTML of their pages. */
	readonly withoutHtml: number;
}

export interface ExportOptions {
	/** Documents that may not be put to one of these are left out. Default: none but those that were allowed once. */
	readonly uses?: readonly Use[];
	readonly category?: string;
	readonly operatorMarket?: string;
	readonly outcomes: boolean;
	/** The schema whose fields the sinks write. */
	readonly fields?: FieldReader;
}

/** Writes what a store holds to sinks, a few pages at a time; in memory there is never more. */
export async function exportStore(view: StoreView, sinks: readonly Sink[], options: ExportOptions): Promise<Exported> {
	const { uses = [], category, operatorMarket, outcomes, fields } = options;
	const identity = { ...(category && { category }), ...(operatorMarket && { operatorMarket }) };
	const judge = uses.length === 0 ? undefined : permittedFor({ identity, uses }, (url) => view.policyFile(url));
	const groups = new Map<string, LeftOutGroup>();
	const counts = { documents: 0, outcomes: 0, withoutHtml: 0 };
	await writeToSinks(sinks, async (write) => {
		for await (const page of view.results({ outcomes })) {
			const kept: Result[] = [];
			for (const result of page) {
				const leftOut = isSpent(result.policy) ? spent : await judge?.(result);
				if (leftOut === undefined) kept.push(result);
				else count(groups, leftOut, result.url);
			}
			await write(kept);
			for (const { document, page } of kept) {
				counts[document === undefined ? 'outcomes' : 'documents']++;
				if (fields !== undefined && document !== undefined && page?.fields?.schema !== fields.schema)
					counts.withoutHtml++;
			}
		}
	});
	return { ...counts, leftOut: [...groups.values()].sort((a, b) => b.count - a.count) };
}

const spent = { why: 'spent', evidence: [] } as const;

/** By the deciding line: a site says the same of all its pages. */
function count(groups: Map<string, LeftOutGroup>, leftOut: LeftOut | typeof spent, example: string): void {
	const key = JSON.stringify([leftOut.why, 'use' in leftOut && leftOut.use, leftOut.evidence[0]]);
	const group = groups.get(key);
	if (group === undefined) groups.set(key, { ...leftOut, count: 1, example });
	else group.count++;
}
