import type { MiddlewareHandler } from 'hono';
import { ServiceError } from '../problem.ts';
import type { ServiceEnv } from '../room.ts';
import type { Authenticator } from './authenticate.ts';
import { openCaller } from './caller.ts';
import type { Limits } from './limits.ts';
import type { Scope } from './scopes.ts';

/** Makes the middleware in front of a route: it lets in callers with a scope, at their pace. */
export type Access = (scope: Scope) => MiddlewareHandler<ServiceEnv>;

interface Tools {
	readonly open: boolean;
	readonly authenticator: Authenticator;
	readonly limits: Limits;
}

/** Before the body of the request is looked at: who is it, may they, and not too often. */
export function createAccess({ open, authenticator, limits }: Tools): Access {
	return (scope) =>
		async function access(c, next) {
			const caller = open ? openCaller : await authenticator.identify(c.req.header('authorization'));
			if (!caller.scopes.has(scope)) {
				const challenge = `Bearer realm="wayleave", error="insufficient_scope", scope="${scope}"`;
				throw new ServiceError('scope-missing', { detail: `the scope ${scope}` }, { 'www-authenticate': challenge });
			}
			const headers = limits.takeRequest(caller);
			c.set('caller', caller);
			await next();
			for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
		};
}
