import { type OpenAPIHono, OpenAPIHono as Router } from '@hono/zod-openapi';
import { explainSchemaIssue } from '@wayleave/io/messages';
import { z } from 'zod';
import type { Access } from '../keys/access.ts';
import type { ServiceEnv } from '../keys/service-env.ts';
import { ServiceError } from '../problems/problem.ts';
import type { CoreDeps } from '../submissions/core-deps.ts';
import type { Submissions } from '../submissions/submissions.ts';

/** Dependencies of all route modules. A module has its own tables: `migrate(db, …, { component: 'service-NAME' })`. */
export interface ServiceDeps extends CoreDeps {
	readonly submissions: Submissions;
	/** Makes the middleware that lets callers in. */
	readonly access: Access;
	/** Whether a module serves this path. Known only when all modules are added. */
	hasRoute(path: string): boolean;
	/** The description of all routes (OpenAPI 3.1). Known only when all modules are added. */
	describe(): object;
}

export type Routes = OpenAPIHono<ServiceEnv>;

/** Some routes of the service, with their part of the OpenAPI description. */
export type RouteModule = (deps: ServiceDeps) => Routes | Promise<Routes>;

// A refusal by a schema is worded for the client.
z.config({ customError: explainSchemaIssue });

/** Makes the router of a module. A request that does not match its description gets a problem as its response. */
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
