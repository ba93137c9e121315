/** The parts of an Express application and its routers that are read, as in Express 4 and 5. */
export interface ExpressApp {
	enabled?(setting: string): boolean;
	/** Express 5. In Express 4 a getter that throws. */
	readonly router?: unknown;
	/** Express 4. */
	readonly _router?: unknown;
}

interface Layer {
	readonly handle?: unknown;
	readonly route?: { readonly path?: unknown };
}

interface Router {
	readonly stack: readonly Layer[];
	readonly caseSensitive?: boolean;
	readonly strict?: boolean;
}

const isRouter = (value: unknown): value is Router => Array.isArray((value as Partial<Router> | undefined)?.stack);

/** The router of an application; undefined while it has none, and for other frameworks. */
export function routerOf(app: ExpressApp): Router | undefined {
	if (isRouter(app._router)) return app._router;
	try {
		return isRouter(app.router) ? app.router : undefined;
	} catch {
		return undefined;
	}
}

/** Routers that are mounted in another; an application that is mounted hides its own behind a function. */
function nested({ stack }: Router): Router[] {
	return stack.flatMap(({ handle }) => (isRouter(handle) ? [handle, ...nested(handle)] : []));
}

const hidesRouter = ({ stack }: Router): boolean =>
	stack.some(({ handle }) => (handle as { name?: string } | undefined)?.name === 'mounted_app');

/** How the routers of an application read a path. `express.Router()` does not take over the settings of the application. */
export function routerOptionsOf(app: ExpressApp | undefined): { caseSensitive: boolean; strict: boolean } {
	const caseSensitive = app?.enabled?.('case sensitive routing') === true;
	const strict = app?.enabled?.('strict routing') === true;
	if (app === undefined || (!caseSensitive && !strict)) return { caseSensitive, strict };
	const router = routerOf(app);
	const others = router === undefined ? [] : nested(router);
	const hidden = [...(router === undefined ? [] : [router]), ...others].some(hidesRouter);
	return {
		caseSensitive: caseSensitive && !hidden && others.every((each) => each.caseSensitive === true),
		strict: strict && !hidden && others.every((each) => each.strict === true),
	};
}

/** The paths of routes that are tried before a middleware. */
export function routesBefore(app: ExpressApp, middleware: unknown): string[] {
	const stack = routerOf(app)?.stack ?? [];
	const at = stack.findIndex(({ handle }) => handle === middleware);
	return at < 0 ? [] : pathsOf(stack.slice(0, at));
}

/** The paths of all routes; of those in a mounted router what it knows: the path below it. */
export function routePathsOf(app: ExpressApp): { own: string[]; below: string[] } {
	const router = routerOf(app);
	if (router === undefined) return { own: [], below: [] };
	return { own: pathsOf(router.stack), below: nested(router).flatMap(({ stack }) => pathsOf(stack)) };
}

function pathsOf(layers: readonly Layer[]): string[] {
	return layers
		.flatMap(({ route }) => (Array.isArray(route?.path) ? route.path : [route?.path]))
		.filter((path): path is string => typeof path === 'string');
}
