import { type Evidence, present } from '@wayleave/protocols';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { rfc3339 } from '../../base/time.ts';
import type { Outcome, Reason } from '../../model/outcome.ts';
import { isSpent, type Result } from '../../model/result.ts';
import type { StoredResultsOptions } from '../roles/pages.ts';
import type { DocumentBodies, ReadAccess } from '../schema/access.ts';
import type { Db, StoreSchema } from '../schema/tables.ts';
import { mapAtOnce } from './document-bodies.ts';

/** Read at a time: with the largest pages still little memory, and no statement that a running crawl would notice. */
const pageSize = 100;

interface Row
	extends Pick<Selectable<StoreSchema['url']>, 'id' | 'key' | 'depth' | 'detail' | 'status' | 'redirect' | 'at'> {
	outcome: Outcome | null;
	reason: Reason | null;
	evidence: string | null;
	found_on: string | null;
	content: Uint8Array | null;
	fetched_at: number | null;
}

/**
 * Everything that a store holds, in the order in which it was found, as the results that a crawl would give now: the
 * last known document of each page that was not found gone or closed. A page that waits to be looked at again counts as it was.
 * Reads a little at a time and holds no lock, so that a crawl can go on meanwhile.
 */
export async function* storedResults(
	access: ReadAccess,
	{ outcomes = false, spent = false }: StoredResultsOptions = {},
): AsyncGenerator<Result[]> {
	const what = sql`${outcomes ? sql`url.state = 1 or` : sql``} (page.content is not null and ${good})`;
	for await (const results of inPieces(access, what)) yield spent ? results : results.map(withoutSpent);
}

/** A little at a time, without a lock. */
async function* inPieces(access: ReadAccess, what: RawBuilder<unknown>): AsyncGenerator<Result[]> {
	for (let after = 0; ; ) {
		const rows = await access.read((db) => selectRows(db, after, what));
		const last = rows.at(-1);
		if (last === undefined) return;
		after = Number(last.id);
		yield await mapAtOnce(rows, (row) => toResult(row, access.bodies));
	}
}

/**
 * URLs that ended without a visit: found out of scope, or put off together with others.
 *
 * @param run only those that ended in this run
 * @param documents only those with a document
 */
export async function unvisitedResults(
	db: Db,
	after: number,
	run: number | undefined,
	documents: boolean,
	bodies: DocumentBodies,
) {
	const inRun = run === undefined ? sql`` : sql`and url.run = ${run}`;
	// Pages deferred by the page limit are emitted by the run that continues.
	const given = sql`${good} and coalesce(url.reason, '') <> 'max-pages'`;
	const withDocument = documents ? sql`and url.outcome = 'deferred' and page.content is not null and ${given}` : sql``;
	const rows = await selectRows(db, after, sql`url.state = 1 and url.attempts = 0 ${inRun} ${withDocument}`, given);
	const last = rows.at(-1);
	const results = await mapAtOnce(rows, (row) => toResult(row, bodies));
	return { results: results.map(withoutSpent), last: last && Number(last.id) };
}

/**
 * Results that a run emitted before it was resumed, for sinks that did not get them.
 *
 * @param run of URLs that ended without a visit those of other runs have been given too; undefined: none of them
 * @param upTo up to which of them this run has given
 * @param outcomes of URLs without a visit also those without a document
 */
export async function* emittedResults(
	access: ReadAccess,
	{ run, upTo, outcomes }: { readonly run: number | undefined; readonly upTo: number; readonly outcomes: boolean },
): AsyncGenerator<Result[]> {
	const before = run === undefined ? sql`` : sql`or coalesce(url.run, 0) <> ${run}`;
	const withDocument = outcomes ? sql`` : sql`and page.content is not null and ${good}`;
	const unvisited = sql`(url.id <= ${upTo} ${before}) ${withDocument}`;
	const given = sql`url.state = 1 and (url.attempts > 0 or ${unvisited})`;
	for await (const results of inPieces(access, given)) yield results.map(withoutSpent);
}

/** Whether the document of a page is what the page says, as far as anybody knows. */
const good = sql`(url.state = 0 and url.outcome is null
	or url.outcome in ('fetched', 'unchanged', 'deferred', 'failed') and page.stands = 1)`;

/** @param given for which of them the document is given */
async function selectRows(
	db: Db,
	after: number,
	what: RawBuilder<unknown>,
	given: RawBuilder<unknown> = good,
): Promise<Row[]> {
	const { rows } = await sql<Row>`
		select url.id, url.key, url.depth, url.outcome, url.reason, url.detail, url.status, url.redirect, url.at,
			evidence.json as evidence, found.key as found_on, page.fetched_at,
			case when ${given} then page.content end as content
		from url left join page on page.url = url.id left join evidence on evidence.id = url.evidence
			left join url as found on found.id = url.via
		where url.id > ${after} and url.kind = 0 and (${what})
		order by url.id limit ${pageSize}`.execute(db);
	return rows;
}

/** Removes documents of permissions for one use: emitting them again would be a further use. */
export function withoutSpent(result: Result): Result {
	if (!isSpent(result.policy) || result.outcome === 'fetched') return result;
	if (result.outcome === 'unchanged' && result.reason !== 'cached') return result;
	const { document: _, page: __, policy: ___, representation: ____, ...rest } = result;
	return rest;
}

async function toResult(row: Row, bodies: DocumentBodies): Promise<Result> {
	const { key, depth, outcome, reason, detail, status, redirect, evidence, found_on } = row;
	const { document, page, policy, representation } = row.content === null ? {} : await bodies.unpack(row.content);
	return {
		url: key,
		...(outcome === null ? { outcome: 'unchanged', reason: 'cached' } : { outcome, ...(reason && { reason }) }),
		...(detail !== null && { detail }),
		...(evidence !== null && { evidence: JSON.parse(evidence) as Evidence[] }),
		...(status !== null && { status: Number(status) }),
		...(redirect !== null && { [reason === 'alias' ? 'aliasOf' : 'redirectedTo']: redirect }),
		depth: Number(depth),
		...(found_on !== null && { foundOn: found_on }),
		at: rfc3339(Number(row.at ?? row.fetched_at ?? 0)),
		...present({ document, page, policy, representation }),
	};
}
