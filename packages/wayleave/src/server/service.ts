import { type Clock, systemClock } from '@wayleave/crawler';
import { HTTPException } from 'hono/http-exception';
import type { Kysely } from 'kysely';
import { batchRoom } from './api/batch.ts';
import { documentRoom } from './api/document.ts';
import { Submissions } from './api/submissions.ts';
import { submitRoom } from './api/submit.ts';
import { BackgroundWork } from './background.ts';
import { baseUrl } from './base-url.ts';
import { readConfig, type ServiceConfig, type ServiceOptions } from './config.ts';
import { openServiceDatabase } from './database.ts';
import { describeService } from './describe.ts';
import { Documents } from './documents/documents.ts';
import { faceRoom } from './face/room.ts';
import { startRoom } from './face/start-room.ts';
import { type Callers, createAccess, limitUnknown, tellLimits } from './keys/access.ts';
import { Authenticator } from './keys/authenticate.ts';
import { KeyStore } from './keys/key-store.ts';
import { Limits } from './keys/limits.ts';
import { errorFields, type Log, silentLog } from './log.ts';
import { mcpRoom } from './mcp/room.ts';
import { Metrics } from './metrics.ts';
import { observe } from './observe.ts';
import { problemResponse, ServiceError, toProblem } from './problem.ts';
import { publicRoom } from './public-room.ts';
import { registerRoom } from './register/room.ts';
import { createRoutes, type Foundations, type Room, type Routes } from './room.ts';
import { sitesRoom } from './sites/room.ts';

/** The rooms of the service. Who adds one adds it here. */
const rooms: readonly Room[] = [
	publicRoom,
	documentRoom,
	batchRoom,
	submitRoom,
	sitesRoom,
	faceRoom,
	startRoom,
	registerRoom,
	mcpRoom,
];

/** The AIWebIndex service: its routes, and what stands behind them. */
export interface Service {
	readonly config: ServiceConfig;
	readonly keys: KeyStore;
	/** A request in, a response out. @param connection of Node, where there is one: who sends reports is told apart by it */
	readonly fetch: (request: Request, connection?: object) => Response | Promise<Response>;
	/** The description (OpenAPI 3.1). */
	readonly description: ReturnType<typeof describeService>;
	/** Says by `/readyz` that no more requests are taken, and ends work that nobody waits for. */
	stop(): void;
	/** Ends everything. Requests in flight should have been waited for. */
	close(): Promise<void>;
}

export interface ServiceTools {
	readonly clock?: Clock;
	readonly log?: Log;
}

/** What a key has had is written so often; milliseconds. */
const saving = 1000;

/** @throws CrawlError, DatabaseError when the store cannot be opened */
export async function openService(options: ServiceOptions = {}, tools: ServiceTools = {}): Promise<Service> {
	const { clock = systemClock, log = silentLog } = tools;
	const config = readConfig(options);
	const db = openServiceDatabase(config.store);
	try {
		return await furnish(config, db, clock, log);
	} catch (error) {
		await db.destroy();
		throw error;
	}
}

async function furnish(config: ServiceConfig, db: Kysely<unknown>, clock: Clock, log: Log): Promise<Service> {
	const metrics = new Metrics();
	const now = () => clock.now();
	const keys = await KeyStore.open(db, now);
	const limits = new Limits(keys, now);
	const callers: Callers = { open: config.open, authenticator: new Authenticator(keys, now), limits };
	const access = createAccess(callers);
	const documents = await Documents.open({ config, db, clock, metrics, log });
	const background = new BackgroundWork(clock, log);
	const basics = { config, db, documents, limits, access, clock, log, metrics, background };
	const submissions = await Submissions.open({ ...basics, keys });
	const foundations: Foundations = { ...basics, submissions };
	const routes = createRoutes();
	routes.use(observe(foundations));
	if (!config.open) routes.use(tellLimits(callers));
	for (const room of rooms) routes.route('/', await room(foundations));
	// Every room can refuse a page by now.
	await submissions.resume();
	const description = describeService(routes, config.publicUrl === undefined ? [] : [config.publicUrl]);
	routes.get('/openapi.json', (c) => c.json(description, 200, { 'cache-control': 'public, max-age=3600' }));
	tellProblems(routes, foundations, callers);
	background.every(saving, 'saving usage', () => limits.save());
	const stop = () => {
		documents.stop();
		background.stop();
	};
	return {
		config,
		keys,
		fetch: (request, connection) => routes.fetch(request, connection),
		description,
		stop,
		async close() {
			stop();
			await documents.close();
			await background.ended();
			await limits.save();
			await db.destroy();
		},
	};
}

/** Whatever goes wrong is told in one form. */
function tellProblems(routes: Routes, { config, log }: Foundations, callers: Callers): void {
	routes.all('*', limitUnknown(callers), (c) => {
		const code = routes.routes.some(({ path, method }) => method !== 'ALL' && path === c.req.path)
			? 'method-not-allowed'
			: 'not-found';
		throw new ServiceError(code);
	});
	routes.onError((error) => {
		const known = error instanceof ServiceError ? error : undefinedProblem(error, log);
		return problemResponse(toProblem(known, baseUrl(config)), known.headers);
	});
}

function undefinedProblem(error: unknown, log: Log): ServiceError {
	// What the router itself finds wrong, such as a body that is no JSON.
	if (error instanceof HTTPException && error.status < 500)
		return new ServiceError('bad-request', { detail: error.message });
	log.error('a request failed', errorFields(error));
	return new ServiceError('internal-error');
}
