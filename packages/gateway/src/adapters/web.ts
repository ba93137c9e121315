import type { Gateway } from '../engine/gateway.ts';
import type { OriginFetch } from '../respond/origin-pages.ts';

/**
 * The gateway as a handler of the Web standard: for Deno, Bun and everything that knows `Request` and `Response`.
 *
 * @param address returns the address of the connected client; servers keep it in different places.
 */
export function webHandler<Context>(
	gateway: Gateway,
	address: (request: Request, context: Context) => string,
	next?: OriginFetch,
) {
	if (typeof address !== 'function') {
		throw new TypeError(
			'webHandler: the second argument must be a function that returns the client address: (request, context) => …',
		);
	}
	return (request: Request, context: Context): Promise<Response> =>
		gateway.handle(request, { address: address(request, context) }, next);
}
