import { type OpenAPIHono, OpenAPIHono as Router } from '@hono/zod-openapi';
import type { Clock } from '@wayleave/crawler';
import { explainSchemaIssue } from '@wayleave/io/messages';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Submissions } from './api/submissions.ts';
import type { ServiceConfig } from './config.ts';
import type { Documents } from './documents/documents.ts';
import type { Access } from './keys/access.ts';
import type { Caller } from './keys/caller.ts';
import type { Limits } from './keys/limits.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { ServiceError } from './problem.ts';

/** What every room of the service shares. A room brings its own tables: `migrate(db, …, { component: 'service-ROOM' })`. */
export interface Foundations {
	readonly config: ServiceConfig;
	/** The database behind `config.store`, apart from the store of the crawler. */
	readonly db: Kysely<unknown>;
	readonly documents: Documents;
	readonly limits: Limits;
	readonly submissions: Submissions;
	/** Makes the middleware that lets callers in. */
	readonly access: Access;
	readonly clock: Clock;
	readonly log: Log;
	readonly metrics: Metrics;
	/** Work that goes on beside requests; it is told to end when the service closes, and waited for. */
	readonly background: Background;
}

export interface Background {
	/** Aborted when the service closes. */
	readonly signal: AbortSignal;
	/** Does something again and again, `pause` milliseconds after it was done; what it throws is logged. */
	every(pause: number, name: string, work: () => Promise<void>): void;
	/** Has `close` wait for something. */
	add(work: Promise<unknown>): void;
}

/** What is known of a request beside itself. */
export interface ServiceEnv {
	Variables: { caller: Caller };
}

export type Routes = OpenAPIHono<ServiceEnv>;

/** A room of the service: some routes, with their part of the description. */
export type Room = (foundations: Foundations) => Routes | Promise<Routes>;

// Requests that a schema refuses are explained in the words of their sender.
z.config({ customError: explainSchemaIssue });

/** An empty room. What a request lacks of its description is told as a problem. */
export function createRoutes(): Routes {
	return new Router<ServiceEnv>({
		defaultHook: (result) => {
			if (result.success) return;
			const errors = result.error.issues.map(({ path, message }) => ({ path: `/${path.join('/')}`, message }));
			throw new ServiceError('bad-request', {
				detail: `${result.target} ${errors[0]?.path}: ${errors[0]?.message}`,
				errors,
			});
		},
	});
}
