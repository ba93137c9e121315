import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { ServiceError } from '../problem.ts';

/** In front of a route that takes JSON: says so, and reads no more than that. @param maxSize bytes */
export function jsonBody(maxSize: number): [MiddlewareHandler, MiddlewareHandler] {
	return [
		async function json(c, next) {
			const type = c.req.header('content-type') ?? '';
			if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
				throw new ServiceError('request-not-json', { detail: `Content-Type: ${type || 'none'}` });
			await next();
		},
		bodyLimit({
			maxSize,
			onError: () => {
				throw new ServiceError('request-too-large', { detail: `more than ${maxSize} bytes` });
			},
		}),
	];
}
