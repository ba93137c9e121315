import type { Context } from 'hono';
import { baseUrl } from '../config/base-url.ts';
import type { ServiceEnv } from '../keys/service-env.ts';
import { ServiceError } from '../problems/problem.ts';
import { addRoute } from '../routes/describe.ts';
import { jsonBody } from '../routes/json-body.ts';
import { createRoutes, type RouteModule } from '../routes/route-module.ts';
import { Register, type StoredReport } from './register.ts';
import * as described from './routes.ts';
import { Senders } from './senders.ts';
import { registerPage, showEntry, showStored } from './show.ts';
import { signerFinder } from './signers.ts';

/** A report may carry a thousand requests. */
const largestReport = 1 << 20;
const largestAnswer = 64 << 10;

/** The transparency register (robots2 §7). */
export const registerModule: RouteModule = async (deps) => {
	const { access, clock, config, db } = deps;
	const findSigner = signerFinder(deps);
	const register = await Register.open(db, () => clock.now());
	const senders = new Senders(() => clock.now());
	const routes = createRoutes();
	routes.post('/v1/reports', jsonBody(largestReport));
	routes.post('/v1/reports/:id/answers', jsonBody(largestAnswer));
	routes.use('/v1/review/*', access('reports:review'));
	routes.on('patch', '/v1/review/*', jsonBody(largestAnswer));

	addRoute(routes, described.sendRoute, async (c) => {
		senders.take(addressOf(c));
		const { id, status, receivedAt } = await register.receive(await c.req.text(), c.req.valid('json'), null);
		return c.json({ id, status, received_at: new Date(receivedAt).toISOString() }, 202);
	});
	addRoute(routes, described.listRoute, async (c) =>
		c.json({ reports: (await register.list('published', c.req.valid('query').before)).map(showEntry) }),
	);
	addRoute(routes, described.entryRoute, async (c) => c.json(showEntry(await published(c.req.valid('param').id))));
	addRoute(routes, described.answerRoute, async (c) => {
		senders.take(addressOf(c));
		const { author, text } = c.req.valid('json');
		const answered = await published(c.req.valid('param').id);
		const signer = await findSigner(c.req.raw, await c.req.text());
		const { id, status, receivedAt } = await register.answer(answered.id, author, text, signer);
		return c.json({ id, status, received_at: new Date(receivedAt).toISOString() }, 202);
	});
	addRoute(routes, described.pageRoute, async () => registerPage(await register.list('published'), baseUrl(config)));

	addRoute(routes, described.queueRoute, async (c) => {
		const { status, before } = c.req.valid('query');
		return c.json({ reports: (await register.list(status, before)).map(showStored) });
	});
	addRoute(routes, described.reviewRoute, async (c) => {
		const { id } = c.req.valid('param');
		const { status, note } = c.req.valid('json');
		if (!(await register.review(id, status, note))) throw new ServiceError('report-unknown');
		return c.json(showStored(await register.get(id)));
	});
	addRoute(routes, described.reviewAnswerRoute, async (c) => {
		const { id, answer } = c.req.valid('param');
		if (!(await register.reviewAnswer(id, answer, c.req.valid('json').status)))
			throw new ServiceError('report-unknown');
		return c.json(showStored(await register.get(id)));
	});
	return routes;

	async function published(id: string): Promise<StoredReport> {
		const report = await register.find(id);
		if (report?.status !== 'published') throw new ServiceError('report-unknown');
		return report;
	}
};

/** Where a request comes from, as far as the socket says; never stored. */
function addressOf(c: Context<ServiceEnv>): string {
	const { incoming } = (c.env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
	return incoming?.socket?.remoteAddress ?? '';
}
