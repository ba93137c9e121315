import type { IncomingMessage } from 'node:http';
import type { Gateway } from '../engine/gateway.ts';
import { type ExpressApp, routerOptionsOf, routesBefore } from './express-app.ts';
import { type NodeMiddleware, nodeMiddleware } from './node.ts';
import { routerReadings } from './router-readings.ts';

export interface ExpressGatewayOptions {
	/** Whether the routers tell `/X` from `/x`. Default: as the settings of the app and of its routers say. */
	readonly caseSensitive?: boolean;
	/** Whether the routers tell `/x/` from `/x`. Default: as the settings of the app and of its routers say. */
	readonly strict?: boolean;
}

type ExpressRequest = IncomingMessage & { readonly app?: ExpressApp };

/**
 * Middleware for Express and Connect: `app.use(expressGateway(gateway))`, before everything else. A page is withheld in
 * every spelling by which the routers of the app find it: in any letter case, unless `case sensitive routing` is set.
 * Routes that stand before it are served without it: the first request warns of them, and `assertProtected` finds them.
 */
export function expressGateway(gateway: Gateway, options: ExpressGatewayOptions = {}): NodeMiddleware {
	const seen = new WeakSet<ExpressApp>();
	const middleware = nodeMiddleware(gateway, {
		readings: ({ app }: ExpressRequest) => routerReadings({ ...routerOptionsOf(app), ...options }),
	});
	return function wayleave(request, response, next) {
		const { app } = request as ExpressRequest;
		if (app !== undefined && !seen.has(app)) {
			seen.add(app);
			warnOfRoutes(routesBefore(app, wayleave));
		}
		middleware(request, response, next);
	};
}

function warnOfRoutes(paths: readonly string[]): void {
	if (paths.length === 0) return;
	const list = paths.slice(0, 5).join(', ') + (paths.length > 5 ? ', …' : '');
	process.emitWarning(
		`expressGateway is registered after routes that bypass it: ${list}. Put app.use(expressGateway(gateway)) before them.`,
		{ code: 'WAYLEAVE_ROUTES_BEFORE_GATEWAY' },
	);
}
