import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Caller } from '../keys/caller.ts';
import type { ServiceEnv } from '../keys/service-env.ts';
import type { ServiceDeps } from './route-module.ts';

/** Labels of metrics come from a closed set, whatever clients send. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export interface HandledRequest {
	readonly method: string;
	readonly path: string;
	/** As it is described; undefined if none served the request. */
	readonly route: string | undefined;
	readonly status: number;
	/** The time it came, as `performance.now()` tells it. */
	readonly start: number;
	/** The id of the key. */
	readonly key: string | undefined;
}

/** Writes down a request: a line in the log, and its time among the metrics. Addresses of callers are not. */
export type Recorder = (request: HandledRequest) => void;

export function createRecorder({ log, metrics }: Pick<ServiceDeps, 'log' | 'metrics'>): Recorder {
	const seconds = metrics.histogram('wayleave_request_seconds', 'Time to the first byte of a response');
	const series = new Map<string, ReturnType<typeof seconds>>();
	return ({ method, path, route: served = 'none', status, start, key }) => {
		const took = performance.now() - start;
		const route = status === 404 || status === 405 ? 'none' : served;
		const label = methods.has(method) ? method : 'other';
		const group = Math.floor(status / 100);
		const id = `${label} ${group} ${route}`;
		let add = series.get(id);
		if (add === undefined) {
			add = seconds({ method: label, route, status: `${group}xx` });
			series.set(id, add);
		}
		add(took / 1000);
		log.info('request', { method, path, status, ms: Math.round(took * 10) / 10, ...(key !== undefined && { key }) });
	};
}

/** Records each request that the routes serve. */
export function observe(record: Recorder): MiddlewareHandler<ServiceEnv> {
	return async function observer(c, next) {
		const start = performance.now();
		await next();
		const { status } = c.res;
		const { method, path } = c.req;
		const key = (c.get('caller') as Caller | undefined)?.id;
		record({ method, path, route: ownRoute(c), status, start, key });
	};
}

/** The route that served a request, without the middleware of all requests before and behind it. */
const ownRoute = (c: Context<ServiceEnv>): string | undefined =>
	matchedRoutes(c).findLast(({ path }) => path !== '/*')?.path;
