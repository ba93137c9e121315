import type { Gateway } from '../serve/gateway.ts';
import { type NodeMiddleware, nodeMiddleware } from './node.ts';

/** Middleware for Express and Connect: `app.use(expressGateway(gateway))`, before everything else. */
export function expressGateway(gateway: Gateway): NodeMiddleware {
	return nodeMiddleware(gateway);
}
