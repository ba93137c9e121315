import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ServiceEnv } from '../keys/service-env.ts';
import type { ServiceDeps } from './route-module.ts';

/** Labels of metrics come from a closed set, whatever clients send. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Writes down each request: a line in the log, and its time among the metrics. Addresses of callers are not. */
export function observe({ log, metrics }: Pick<ServiceDeps, 'log' | 'metrics'>): MiddlewareHandler<ServiceEnv> {
	const seconds = metrics.histogram('wayleave_request_seconds', 'Time to the first byte of a response');
	return async function observer(c, next) {
		const start = performance.now();
		await next();
		const took = performance.now() - start;
		const { status } = c.res;
		const route = (status === 404 || status === 405 ? undefined : ownRoute(c)) ?? 'none';
		const method = methods.has(c.req.method) ? c.req.method : 'other';
		seconds({ method, route, status: `${Math.floor(status / 100)}xx` }, took / 1000);
		log.info('request', {
			method: c.req.method,
			path: c.req.path,
			status,
			ms: Math.round(took * 10) / 10,
			...(c.get('caller') && { key: c.get('caller').id }),
		});
	};
}

/** The route that served a request, without the middleware of all requests before and behind it. */
const ownRoute = (c: Context<ServiceEnv>): string | undefined =>
	matchedRoutes(c).findLast(({ path }) => path !== '/*')?.path;
