import type { Gateway } from '../engine/gateway.ts';
import { routerReadings } from './router-readings.ts';
import { runtimeAddress } from './runtime-address.ts';

/** The part of Hono that is used here. */
interface Context {
	readonly req: { raw: Request };
	readonly env?: unknown;
	res: Response;
}

export interface HonoGatewayOptions<Own> {
	/** Tells the address of the peer. Default: what the runtime says (Node, Bun, Deno, Workers, Lambda). */
	readonly address?: (context: Own) => string | undefined;
	/** The `strict` of `new Hono({ strict: false })`: whether `/x/` is another page than `/x`. Default true. */
	readonly strict?: boolean;
}

/**
 * Middleware for Hono: `app.use(honoGateway(gateway))`, before all routes.
 *
 * @param options a function that tells the address of the peer, or options. Where neither it nor the runtime knows the
 * address, requests are judged without one, and a warning says so once.
 * @throws TypeError where the gateway is missing, or what gives the address is not a function.
 */
export function honoGateway<Own extends Context>(
	gateway: Gateway,
	options: ((context: Own) => string | undefined) | HonoGatewayOptions<Own> = {},
) {
	const { address, strict = true } = typeof options === 'function' ? { address: options } : options;
	if (typeof gateway?.decide !== 'function')
		throw new TypeError('honoGateway needs a gateway: honoGateway(createGateway(…))');
	if (address !== undefined && typeof address !== 'function') {
		throw new TypeError(
			"honoGateway: address must be a function, for example (c) => getConnInfo(c).remote.address with getConnInfo from '@hono/node-server/conninfo'",
		);
	}
	const readings = routerReadings({ caseSensitive: true, strict });
	return async function wayleave(context: Own, next: () => Promise<void>): Promise<Response | undefined> {
		let passed = false;
		const { raw } = context.req;
		const peer = address === undefined ? runtimeAddress(raw, context.env) : address(context);
		const response = await gateway.handle(raw, { address: peer ?? '', readings }, async (request) => {
			passed = true;
			// Headers that name another path are dropped.
			if (request !== raw) context.req.raw = request;
			await next();
			return context.res;
		});
		if (!passed) return response;
		// Hono merges the headers of an earlier response into a new one: that would say everything twice.
		context.res = undefined as unknown as Response;
		context.res = response;
		return undefined;
	};
}
