import type { Gateway } from '../engine/gateway.ts';

/** The header by which a middleware of Next.js says that the request goes on. */
const goesOn = 'x-middleware-next';

/**
 * The gateway as `middleware.ts` (`proxy.ts`) of Next.js, Node runtime: answers what is its own; for all else it returns a response
 * that lets the request go on, with the terms among its headers.
 *
 * ```ts
 * export const middleware = nextGateway(gateway);
 * ```
 *
 * @param address Default: the last entry of `X-Forwarded-For`, which the server in front of Next.js has written.
 */
export function nextGateway(gateway: Gateway, address: (request: Request) => string = lastForwarded) {
	return (request: Request): Promise<Response> =>
		gateway.handle(
			request,
			{ address: address(request) },
			async (forwarded) => new Response(null, { headers: { [goesOn]: '1', ...overriddenHeaders(request, forwarded) } }),
		);
}

/** How a middleware changes the headers of the request that goes on: those that are not listed are dropped. */
function overriddenHeaders(before: Request, after: Request): Record<string, string> {
	if (before === after) return {};
	const fields = [...after.headers];
	return {
		'x-middleware-override-headers': fields.map(([name]) => name).join(','),
		...Object.fromEntries(fields.map(([name, value]) => [`x-middleware-request-${name}`, value])),
	};
}

function lastForwarded(request: Request): string {
	return request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
}
