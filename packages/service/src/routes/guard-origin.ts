import type { IncomingMessage } from 'node:http';
import { createGuard } from '@wayleave/io/listen';
import type { MiddlewareHandler } from 'hono';
import type { ServiceConfig } from '../config/config.ts';
import type { ServiceEnv } from '../keys/service-env.ts';
import { ServiceError } from '../problems/problem.ts';

/** For routes that pages of other sites must not drive through a browser, even with a key. */
export function guardOrigin(config: Pick<ServiceConfig, 'publicUrl' | 'allowHosts'>): MiddlewareHandler<ServiceEnv> {
	const guard = createGuard(config);
	return async function origin(c, next) {
		const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
		const fields = { origin: c.req.header('origin'), 'sec-fetch-site': c.req.header('sec-fetch-site') };
		const socket = (incoming?.socket ?? {}) as IncomingMessage['socket'];
		const refusal = guard.checkOrigin({ headers: fields, socket });
		if (refusal !== undefined) throw new ServiceError(refusal.code, { detail: refusal.sentence });
		await next();
	};
}
