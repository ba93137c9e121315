import type { Config } from '../config/schema.ts';
import { createGateway, type GatewayOptions } from '../engine/gateway.ts';

/** The part of a worker's execution context that is used here. */
interface ExecutionContext {
	passThroughOnException?(): void;
}

/**
 * The gateway as a worker in front of a site, with `nodejs_compat`: `export default workersGateway(config)`. It keeps nothing: no
 * ledger, and what it remembers of clients lives as long as the isolate. `onEntry` sees what a ledger would.
 */
export function workersGateway(config: Config, options: GatewayOptions = {}) {
	const gateway = createGateway(config, options);
	return {
		fetch(request: Request, _env?: unknown, context?: ExecutionContext): Promise<Response> {
			// Where we fail the site is served without us, not gone.
			context?.passThroughOnException?.();
			return gateway.handle(request, { address: request.headers.get('cf-connecting-ip') ?? '' });
		},
	};
}
