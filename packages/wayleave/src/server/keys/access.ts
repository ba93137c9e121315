import type { Context, MiddlewareHandler } from 'hono';
import { ServiceError } from '../problem.ts';
import type { ServiceEnv } from '../room.ts';
import type { Authenticator } from './authenticate.ts';
import { type Caller, openCaller } from './caller.ts';
import type { Limits } from './limits.ts';
import type { Scope } from './scopes.ts';

/** Makes the middleware in front of a route: it lets in callers with a scope, at their pace. */
export type Access = (scope: Scope) => MiddlewareHandler<ServiceEnv>;

export interface Callers {
	readonly open: boolean;
	readonly authenticator: Authenticator;
	readonly limits: Limits;
}

/** Before the body of the request is looked at: who is it, not too often, and may they. */
export function createAccess({ open, authenticator, limits }: Callers): Access {
	return (scope) =>
		async function access(c, next) {
			const caller = open ? openCaller : await authenticator.identify(c.req.header('authorization'));
			// A request that is refused for its scope counts too: the rate is what slows a client that errs.
			c.set('caller', caller);
			limits.takeRequest(caller);
			if (!caller.scopes.has(scope)) {
				const challenge = `Bearer realm="wayleave", error="insufficient_scope", scope="${scope}"`;
				throw new ServiceError('scope-missing', { detail: `the scope ${scope}` }, { 'www-authenticate': challenge });
			}
			await next();
		};
}

/** In front of all routes: every response to a key says what is left of its limits, refusals included. */
export function tellLimits({ authenticator, limits }: Callers): MiddlewareHandler<ServiceEnv> {
	return async function tell(c, next) {
		await next();
		const caller = await callerOf(c, authenticator);
		if (caller === undefined) return;
		for (const [name, value] of Object.entries(await limits.fields(caller))) c.res.headers.set(name, value);
	};
}

/** In front of the response to an unknown address: a client that errs is slowed there, too. */
export function limitUnknown({ open, authenticator, limits }: Callers): MiddlewareHandler<ServiceEnv> {
	return async function limit(c, next) {
		const caller = open ? undefined : await callerOf(c, authenticator);
		if (caller !== undefined) limits.takeRequest(caller);
		await next();
	};
}

/** Undefined where a route asks for no key and none is given, or none that is valid. */
async function callerOf(c: Context<ServiceEnv>, authenticator: Authenticator): Promise<Caller | undefined> {
	const known = c.get('caller') as Caller | undefined;
	const authorization = c.req.header('authorization');
	if (known !== undefined || authorization === undefined) return known;
	return authenticator.identify(authorization).catch(() => undefined);
}
