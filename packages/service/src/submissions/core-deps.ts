import type { Clock } from '@wayleave/crawler';
import type { Kysely } from 'kysely';
import type { ServiceConfig } from '../config/config.ts';
import type { Documents } from '../documents/documents.ts';
import type { Limits } from '../keys/limits.ts';
import type { Background } from '../observe/background-work.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';

/** The dependencies below the routes; submissions need no more. */
export interface CoreDeps {
	readonly config: ServiceConfig;
	/** The database behind `config.store`, apart from the store of the crawler. */
	readonly db: Kysely<unknown>;
	readonly documents: Documents;
	readonly limits: Limits;
	readonly clock: Clock;
	readonly log: Log;
	readonly metrics: Metrics;
	/** Work beside requests; `close` aborts it and waits for its end. */
	readonly background: Background;
}
