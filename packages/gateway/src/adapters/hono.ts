import type { Gateway } from '../serve/gateway.ts';

/** What of Hono is used here. */
interface Context {
	readonly req: { readonly raw: Request };
	res: Response;
}

/**
 * Middleware for Hono: `app.use(honoGateway(gateway, (c) => getConnInfo(c).remote.address))`.
 *
 * @param address tells the address of whoever is connected; Hono has it in another place for each runtime.
 */
export function honoGateway<Own extends Context>(gateway: Gateway, address: (context: Own) => string | undefined) {
	return async function wayleave(context: Own, next: () => Promise<void>): Promise<Response | undefined> {
		let passed = false;
		const response = await gateway.handle(context.req.raw, { address: address(context) ?? '' }, async () => {
			passed = true;
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
