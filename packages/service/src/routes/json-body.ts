import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { ServiceError } from '../problems/problem.ts';

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** Whether a request announces JSON of at most so many bytes. Node reads no more than the announced length. */
export function announcesJson(headers: Headers, maxSize: number): boolean {
	const length = headers.get('content-length');
	if (length === null || headers.has('transfer-encoding')) return false;
	return jsonType.test(headers.get('content-type') ?? '') && /^\d+$/.test(length) && Number(length) <= maxSize;
}

/** In front of a route that takes JSON: says so, and reads no more than that. @param maxSize bytes */
export function jsonBody(maxSize: number): MiddlewareHandler {
	const tooLarge = () => new ServiceError('request-too-large', { detail: `more than ${maxSize} bytes` });
	const counted = bodyLimit({
		maxSize,
		onError: () => {
			throw tooLarge();
		},
	});
	// Each awaited step costs a turn of the microtask queue, so nothing here awaits what it can return.
	return function jsonOfLimitedSize(c, next) {
		const type = c.req.header('content-type') ?? '';
		if (!jsonType.test(type)) throw new ServiceError('request-not-json', { detail: `Content-Type: ${type || 'none'}` });
		const length = c.req.header('content-length');
		// Node reads no more than the announced length. Counting a body makes a stream of it, which costs more than all else.
		if (length === undefined || c.req.header('transfer-encoding') !== undefined) return counted(c, next);
		if (!/^\d+$/.test(length) || Number(length) > maxSize) throw tooLarge();
		return next();
	};
}
