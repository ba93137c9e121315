import { type Clock, systemClock } from '@wayleave/crawler';
import { nearestWord } from '@wayleave/io/messages/nearest-word';
import { HTTPException } from 'hono/http-exception';
import type { Kysely } from 'kysely';
import { batchModule } from '../api/batch.ts';
import { documentModule } from '../api/document.ts';
import { RepeatedRequests } from '../api/repeated-requests.ts';
import { submitModule } from '../api/submit.ts';
import { baseUrl } from '../config/base-url.ts';
import { readConfig, type ServiceConfig, type ServiceOptions } from '../config/config.ts';
import { openServiceDatabase } from '../database/database.ts';
import { Documents } from '../documents/documents.ts';
import { type Callers, createAccess, limitUnknown, tellLimits } from '../keys/access.ts';
import { Authenticator } from '../keys/authenticate.ts';
import { KeyStore } from '../keys/key-store.ts';
import { Limits } from '../keys/limits.ts';
import { BackgroundWork } from '../observe/background-work.ts';
import { errorFields, type Log, silentLog } from '../observe/log.ts';
import { Metrics } from '../observe/metrics.ts';
import { problemResponse, ServiceError, toProblem } from '../problems/problem.ts';
import { helpPage } from '../public-pages/guide-pages.ts';
import { guideFacts, guideModule } from '../public-pages/guide-route-module.ts';
import { publicModule } from '../public-pages/overview.ts';
import { publicPagesModule } from '../public-pages/route-module.ts';
import { startPageModule } from '../public-pages/start-route-module.ts';
import { wantsHtml } from '../public-pages/wants-html.ts';
import { registerModule } from '../register/route-module.ts';
import { describeService } from '../routes/describe.ts';
import { createRecorder, observe } from '../routes/observe.ts';
import { createRoutes, type RouteModule, type Routes, type ServiceDeps } from '../routes/route-module.ts';
import { sitesModule } from '../sites/route-module.ts';
import { Submissions } from '../submissions/submissions.ts';

/** The modules that every service has. */
const ownModules = (repeated: RepeatedRequests): readonly RouteModule[] => [
	publicModule,
	documentModule(repeated),
	batchModule,
	submitModule,
	sitesModule,
	publicPagesModule,
	startPageModule,
	guideModule,
	registerModule,
];

/** The AIWebIndex service: its routes, and what stands behind them. */
export interface Service {
	readonly config: ServiceConfig;
	readonly keys: KeyStore;
	/** Handles a request. @param connection of Node, if there is one: it identifies the sender of a report */
	readonly fetch: (request: Request, connection?: object) => Response | Promise<Response>;
	/** The description (OpenAPI 3.1). */
	readonly description: ReturnType<typeof describeService>;
	/** Says by `/readyz` that no more requests are taken, and ends work without a waiting caller. */
	stop(): void;
	/** Ends everything. Requests in flight should have been waited for. */
	close(): Promise<void>;
}

export interface ServiceTools {
	readonly clock?: Clock;
	readonly log?: Log;
	/** Further routes, such as the MCP endpoint of `@wayleave/mcp/http`. */
	readonly modules?: readonly RouteModule[];
}

/** How often the use of keys is written; milliseconds. */
const saving = 1000;

/** @throws CrawlError, DatabaseError when the store cannot be opened */
export async function openService(options: ServiceOptions = {}, tools: ServiceTools = {}): Promise<Service> {
	const { clock = systemClock, log = silentLog, modules = [] } = tools;
	const config = readConfig(options);
	const db = openServiceDatabase(config.store);
	try {
		return await buildService(config, db, { clock, log, modules });
	} catch (error) {
		await db.destroy();
		throw error;
	}
}

async function buildService(
	config: ServiceConfig,
	db: Kysely<unknown>,
	{ clock, log, modules }: Required<ServiceTools>,
): Promise<Service> {
	const metrics = new Metrics();
	const now = () => clock.now();
	const keys = await KeyStore.open(db, now);
	const limits = new Limits(keys, now);
	const callers: Callers = { open: config.open, authenticator: new Authenticator(keys, now), limits };
	const access = createAccess(callers);
	const background = new BackgroundWork(clock, log);
	const documents = await Documents.open({ config, db, clock, metrics, log, background });
	const basics = { config, db, documents, limits, access, clock, log, metrics, background };
	const submissions = await Submissions.open({ ...basics, keys });
	const routes = createRoutes();
	const hasRoute = (path: string) => routes.routes.some((route) => route.path === path);
	const describe = () => description;
	const deps: ServiceDeps = { ...basics, submissions, hasRoute, describe };
	const record = createRecorder(deps);
	const repeated = new RepeatedRequests({ ...deps, callers, record });
	routes.use(observe(record));
	if (!config.open) routes.use(tellLimits(callers));
	for (const module of [...ownModules(repeated), ...modules]) routes.route('/', await module(deps));
	// From here on every module can refuse a page.
	await submissions.resume();
	const description = describeService(routes, config.publicUrl === undefined ? [] : [config.publicUrl]);
	routes.get('/openapi.json', (c) => c.json(description, 200, { 'cache-control': 'public, max-age=3600' }));
	tellProblems(routes, deps, callers);
	background.every(saving, 'saving usage', () => limits.save());
	const stop = () => {
		documents.stop();
		background.stop();
	};
	return {
		config,
		keys,
		fetch(request, connection) {
			const response = repeated.respond(request);
			return response instanceof Promise
				? response.then((ready) => ready ?? routes.fetch(request, connection))
				: (response ?? routes.fetch(request, connection));
		},
		description,
		stop,
		async close() {
			stop();
			await documents.close();
			await background.ended();
			await submissions.release();
			await limits.save();
			await db.destroy();
		},
	};
}

/** Sends every failure in one format. */
function tellProblems(routes: Routes, { config, log }: ServiceDeps, callers: Callers): void {
	routes.all('*', limitUnknown(callers), (c) => {
		const { path } = c.req;
		const methods = routes.routes.flatMap((route) =>
			route.method !== 'ALL' && route.path === path ? route.method : [],
		);
		const isKnown = methods.length > 0;
		if (c.req.method === 'GET' && wantsHtml(c.req.header('accept')))
			return helpPage(guideFacts(c, { config }), {
				path,
				status: isKnown ? 405 : 404,
				methods: [...new Set(methods)],
				nearest: isKnown ? undefined : nearestPage(path, routes),
			});
		throw new ServiceError(isKnown ? 'method-not-allowed' : 'not-found');
	});
	routes.onError((error) => {
		const known = error instanceof ServiceError ? error : undefinedProblem(error, log);
		return problemResponse(toProblem(known, baseUrl(config)), known.headers);
	});
}

/** The page that a mistyped address may mean. */
function nearestPage(path: string, { routes }: Routes): string | undefined {
	const pages = routes.filter((route) => route.method === 'GET' && !/[:*]/.test(route.path)).map((route) => route.path);
	return nearestWord(path, [...new Set(pages)]);
}

function undefinedProblem(error: unknown, log: Log): ServiceError {
	// An error found by the router, such as a body that is not JSON.
	if (error instanceof HTTPException && error.status < 500)
		return new ServiceError('bad-request', { detail: error.message });
	log.error('a request failed', errorFields(error));
	return new ServiceError('internal-error');
}
