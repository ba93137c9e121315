import type { Context, MiddlewareHandler, Next } from 'hono';
import { ServiceError } from '../problems/problem.ts';
import type { Authenticator } from './authenticate.ts';
import { type Caller, openCaller } from './caller.ts';
import type { Limits } from './limits.ts';
import type { Scope } from './scopes.ts';
import type { ServiceEnv } from './service-env.ts';

/** Makes the middleware in front of a route: it lets in callers with a scope, at their pace. */
export type Access = (scope: Scope) => MiddlewareHandler<ServiceEnv>;

export interface Callers {
	readonly open: boolean;
	readonly authenticator: Authenticator;
	readonly limits: Limits;
}

/** Checks key, rate and scope before the body of the request is read. */
export function createAccess({ open, authenticator, limits }: Callers): Access {
	return (scope) => {
		const admit = (caller: Caller, c: Context<ServiceEnv>, next: Next) => {
			// A request refused for its scope counts too: the rate limit slows a client that makes mistakes.
			c.set('caller', caller);
			limits.takeRequest(caller);
			if (!caller.scopes.has(scope)) {
				const challenge = `Bearer realm="wayleave", error="insufficient_scope", scope="${scope}"`;
				throw new ServiceError('scope-missing', { detail: `the scope ${scope}` }, { 'www-authenticate': challenge });
			}
			return next();
		};
		if (open) return (c, next) => admit(openCaller, c, next);
		return async (c, next) => admit(await authenticator.identify(c.req.header('authorization')), c, next);
	};
}

/** The caller of a request, if its key is known already. @throws ServiceError */
export function callerAtHand({ open, authenticator }: Callers, headers: Headers): Caller | undefined {
	return open ? openCaller : authenticator.identifyKnown(headers.get('authorization') ?? undefined);
}

/** For all routes: every response to a key reports its remaining limits, refusals included. */
export function tellLimits({ authenticator, limits }: Callers): MiddlewareHandler<ServiceEnv> {
	return async function tell(c, next) {
		await next();
		const caller = await callerOf(c, authenticator);
		if (caller === undefined) return;
		for (const [name, value] of Object.entries(await limits.fields(caller))) c.res.headers.set(name, value);
	};
}

/** For unknown addresses: the rate limit also slows clients that make mistakes there. */
export function limitUnknown({ open, authenticator, limits }: Callers): MiddlewareHandler<ServiceEnv> {
	return async function limit(c, next) {
		const caller = open ? undefined : await callerOf(c, authenticator);
		if (caller !== undefined) limits.takeRequest(caller);
		await next();
	};
}

/** Undefined if a route requires no key and the request has no valid one. */
async function callerOf(c: Context<ServiceEnv>, authenticator: Authenticator): Promise<Caller | undefined> {
	const known = c.get('caller') as Caller | undefined;
	const authorization = c.req.header('authorization');
	if (known !== undefined || authorization === undefined) return known;
	return authenticator.identify(authorization).catch(() => undefined);
}
