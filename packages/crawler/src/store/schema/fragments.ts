import { type RawBuilder, sql } from 'kysely';

/** A URL whose server asked for a longer pause than the host cap: until then only a refresh visits it. */
export const isPutOffUntil = (now: RawBuilder<number>): RawBuilder<boolean> =>
	sql<boolean>`url.state = 1 and url.outcome = 'deferred' and url.due > ${now}`;

/** Whether there is a document. */
export const isKept = sql<number>`case when page.content is null then 0 else 1 end`;
