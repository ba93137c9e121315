import type { StoreReader } from '../store/roles/reader.ts';
import type { UrlPage } from './api.ts';
import { showUrl } from './show.ts';

export const changeKinds = ['changed', 'new', 'gone'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** URLs that one request examines, and returns. */
export interface Piece {
	readonly rows: number;
	readonly limit: number;
}

/** Pages that the last run found changed, new or gone. */
export async function readChanges(
	{ frontier, pages }: StoreReader,
	kind: ChangeKind,
	after: string,
	{ rows, limit }: Piece,
): Promise<UrlPage> {
	const run = await frontier.lastRun();
	if (run === undefined) return { urls: [] };
	const since = run.startedAt;
	if (kind === 'changed') {
		const [replacedAt = Number.NaN, id = Number.NaN] = after.split('.').map(Number);
		const behind = Number.isNaN(replacedAt) || Number.isNaN(id) ? {} : { after: { replacedAt, id } };
		const found = await pages.replaced({ since, limit, ...behind });
		const last = found.length === limit ? found.at(-1) : undefined;
		return {
			urls: found.map(({ url, replacedAt: at }) => ({
				...{ url, kind: 'page', depth: 0, outcome: 'fetched' },
				at: new Date(at).toISOString(),
			})),
			...(last && { next: `${last.replacedAt}.${last.id}` }),
		};
	}
	const which = kind === 'gone' ? ({ outcome: 'gone' } as const) : ({ outcome: 'fetched', isNew: true } as const);
	const { urls, next } = await frontier.list({ after: Number(after) || 0, rows, limit, kind: 'page', since, ...which });
	return { urls: urls.map(showUrl), ...(next !== undefined && { next: String(next) }) };
}
