import { present } from '@wayleave/protocols';
import { botOf } from '../config/bot.ts';
import { readUrl } from '../documents/documents.ts';
import { ServiceError } from '../problems/problem.ts';
import { dnsInstruction, namedResolvers } from '../registrar/check-dns.ts';
import { checkDomain } from '../registrar/check-domain.ts';
import { fileInstruction } from '../registrar/check-file.ts';
import { domainFaults, readDomain } from '../registrar/domain.ts';
import { Pace } from '../registrar/pace.ts';
import { Registrar } from '../registrar/registrar.ts';
import type { Site } from '../registrar/site.ts';
import { addRoute } from '../routes/describe.ts';
import { guardedFetcher } from '../routes/guarded-fetcher.ts';
import { jsonBody } from '../routes/json-body.ts';
import { createRoutes, type RouteModule, type ServiceDeps } from '../routes/route-module.ts';
import { OwnerPreferences, speaksFor } from './owner-preferences.ts';
import * as described from './routes.ts';

/** How often due domains are looked for; milliseconds. */
const looking = 60_000;
const maxAtOnce = 20;
/** Pages of a site in one answer. */
const pageLength = 1000;

/** The registrar: who owns which domain, and what they want of this service. */
export const sitesModule: RouteModule = async (deps) => {
	const { access, background, clock, config, db, documents } = deps;
	const registrar = await Registrar.open({ db, now: () => clock.now(), check: proofChecker(deps) });
	const ownerPreferences = new OwnerPreferences(registrar, () => clock.now());
	documents.guard((url) => ownerPreferences.check(url));
	background.every(looking, 'checking proofs', async () => {
		await registrar.checkDue(maxAtOnce);
		ownerPreferences.forget();
	});
	const routes = createRoutes();
	routes.use('/v1/sites', access('sites:write'));
	routes.use('/v1/sites/*', access('sites:write'));
	for (const { method, path } of [described.registerRoute, described.preferRoute, described.refreshRoute])
		routes.on(method, path.replace('{domain}', ':domain'), jsonBody(config.bodyLimit));

	addRoute(routes, described.registerRoute, async (c) =>
		c.json(show(await registrar.register(domainOf(c.req.valid('json').domain), c.get('caller').id)), 201),
	);
	addRoute(routes, described.listRoute, async (c) =>
		c.json({ sites: (await registrar.list(c.get('caller').id)).map(show) }),
	);
	addRoute(routes, described.findRoute, async (c) =>
		c.json(show(await find(c.req.valid('param'), c.get('caller').id))),
	);
	addRoute(routes, described.rotateRoute, async (c) => {
		const { domain, owner } = await find(c.req.valid('param'), c.get('caller').id);
		return c.json(show(await registrar.register(domain, owner)), 201);
	});
	addRoute(routes, described.checkRoute, async (c) => {
		const { domain, owner } = await find(c.req.valid('param'), c.get('caller').id);
		const site = await registrar.check(domain, owner);
		ownerPreferences.forget();
		if (site === undefined) throw new ServiceError('site-unknown');
		return c.json(show(site));
	});
	addRoute(routes, described.preferRoute, async (c) => {
		const { domain, owner, preferences } = await proven(c.req.valid('param'), c.get('caller').id);
		const wanted = c.req.valid('json');
		await registrar.prefer(domain, owner, {
			crawl: wanted.crawl ?? preferences.crawl,
			disallow: wanted.disallow ?? preferences.disallow,
		});
		ownerPreferences.forget();
		return c.json(show(await find({ domain }, owner)));
	});
	addRoute(routes, described.revokeRoute, async (c) => {
		if (!(await registrar.revoke(domainOf(c.req.valid('param').domain), c.get('caller').id)))
			throw new ServiceError('site-unknown');
		ownerPreferences.forget();
		return c.body(null, 204);
	});
	addRoute(routes, described.refreshRoute, async (c) => {
		const site = await proven(c.req.valid('param'), c.get('caller').id);
		const url = own(site, c.req.valid('json').url);
		const call = { freshnessPolicy: 'force_refresh', lane: `${site.owner} sites`, signal: c.req.raw.signal } as const;
		const { result } = await documents.get(url, call);
		const { outcome, reason, redirectedTo, document } = result;
		return c.json({
			url,
			outcome,
			...present({ reason, redirected_to: redirectedTo }),
			...(document?.source.fetched_at && { fetched_at: document.source.fetched_at }),
		});
	});
	addRoute(routes, described.pagesRoute, async (c) => {
		const site = await proven(c.req.valid('param'), c.get('caller').id);
		const pages = await documents.pagesOf(hostsOf(site), c.req.valid('query').after ?? '', pageLength);
		const next = pages.length === pageLength ? pages.at(-1)?.url : undefined;
		return c.json({
			pages: pages.map(({ url, outcome, reason, checkedAt, fetchedAt }) => ({
				url,
				outcome,
				...(reason && { reason }),
				checked_at: rfc3339(checkedAt),
				...(fetchedAt !== undefined && { fetched_at: rfc3339(fetchedAt) }),
			})),
			...(next !== undefined && { next }),
		});
	});
	addRoute(routes, described.removeRoute, async (c) => {
		const site = await proven(c.req.valid('param'), c.get('caller').id);
		const { url } = c.req.valid('query');
		return c.json({ removed: await documents.remove(hostsOf(site), url === undefined ? undefined : own(site, url)) });
	});
	return routes;

	async function find({ domain }: { domain: string }, owner: string): Promise<Site> {
		const site = await registrar.find(domainOf(domain), owner);
		if (site === undefined) throw new ServiceError('site-unknown');
		return site;
	}

	async function proven(parameters: { domain: string }, owner: string): Promise<Site> {
		const site = await find(parameters, owner);
		if (site.status !== 'verified')
			throw new ServiceError('site-unproven', { detail: `${site.domain}: ${site.status}` });
		return site;
	}
};

function domainOf(text: string): string {
	const read = readDomain(text);
	if ('domain' in read) return read.domain;
	throw new ServiceError('domain-invalid', { detail: `${text}: ${domainFaults[read.fault]}` });
}

/** A page of the site. */
function own(site: Site, text: string): string {
	const url = readUrl(text);
	if (speaksFor(site, new URL(url).hostname)) return url;
	const means = site.method === 'file' ? 'the file proves only this host' : 'it is not a page of the domain';
	throw new ServiceError('bad-request', { detail: `url: ${means}`, errors: [{ path: '/url', message: means }] });
}

function proofChecker({ background, clock, config }: ServiceDeps) {
	const { proofPort } = config;
	const fetcher = guardedFetcher({ background, config }, botOf(config).verificationUserAgent);
	const pace = new Pace(clock, background.signal);
	const options = {
		fetcher,
		turn: (host: string) => pace.turn(host),
		resolvers: namedResolvers(config.resolvers),
		...(proofPort !== undefined && { port: proofPort }),
	};
	return (domain: string, tokens: readonly string[]) => checkDomain(domain, tokens, options);
}

const hostsOf = ({ domain, method }: Site) => ({ host: domain, below: method === 'dns' });

const rfc3339 = (at: number): string => new Date(at).toISOString();

function show({ domain, status, method, token, registeredAt, verifiedAt, checkedAt, nextCheck, ...more }: Site) {
	return {
		domain,
		status,
		...(method && { method }),
		token,
		publish: { dns: dnsInstruction(domain, token), file: fileInstruction(domain, token) },
		registered_at: rfc3339(registeredAt),
		...(verifiedAt !== undefined && { verified_at: rfc3339(verifiedAt) }),
		...(checkedAt !== undefined && { checked_at: rfc3339(checkedAt) }),
		...(nextCheck !== undefined && { next_check: rfc3339(nextCheck) }),
		...(more.lastCheck && { last_check: more.lastCheck }),
		preferences: more.preferences,
	};
}
