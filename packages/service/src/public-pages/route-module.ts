import { z } from '@hono/zod-openapi';
import { formatKeyDirectory, keyDirectoryPath, keyDirectoryType, loadSigningKey } from '@wayleave/io/signatures';
import { baseUrl } from '../config/base-url.ts';
import { botOf } from '../config/bot.ts';
import { ServiceError } from '../problems/problem.ts';
import { addRoute, describeRoutes, json, page, text } from '../routes/describe.ts';
import { entityTag, isKnown } from '../routes/entity-tag.ts';
import { createRoutes, type RouteModule } from '../routes/route-module.ts';
import { botPage } from './bot-page.ts';
import { IpRanges } from './ip-ranges.ts';

const route = describeRoutes('operator');

const botRoute = route('get', '/bot', 'aboutCrawler', {
	summary: 'The page about the crawler: its operator, its purpose, and how to exclude it',
	responses: { 200: { description: 'For people', content: page } },
});

const rangesRoute = route('get', '/bot/ip-ranges.json', 'getCrawlerRanges', {
	summary: 'The addresses that the crawler uses (JAFAR)',
	responses: {
		200: { description: 'The list', content: json(z.looseObject({})) },
		304: { description: 'It has not changed' },
	},
});

const directoryRoute = route('get', keyDirectoryPath, 'getKeyDirectory', {
	summary: 'The keys that sign the requests of the crawler (Web Bot Auth)',
	responses: {
		200: { description: 'The keys', content: { [keyDirectoryType]: { schema: z.looseObject({}) } } },
	},
});

const robotsRoute = route('get', '/robots.txt', 'getRobots', {
	summary: 'The rules for crawlers on this service',
	responses: { 200: { description: 'RFC 9309', content: text } },
});

const llmsRoute = route('get', '/llms.txt', 'getLlmsText', {
	summary: 'A description of this service for language models',
	responses: { 200: { description: 'Markdown', content: text } },
});

/** Public pages about the crawler. They need no key. */
export const publicPagesModule: RouteModule = ({ config, clock }) => {
	const routes = createRoutes();
	const bot = botOf(config);
	const ranges = new IpRanges(config.egress, clock.now());
	const { signingKey } = config.fetching.identity ?? {};
	const directory = signingKey === undefined ? undefined : formatKeyDirectory([loadSigningKey(signingKey)]);

	addRoute(routes, botRoute, () =>
		botPage({
			bot,
			config,
			base: baseUrl(config),
			hasRanges: config.egress.length > 0,
			isSigned: directory !== undefined,
		}),
	);
	addRoute(routes, rangesRoute, (c) => {
		const file = ranges.at(clock.now());
		if (file === undefined) throw new ServiceError('not-found', { detail: 'no addresses are published' });
		const headers = {
			etag: file.etag,
			'last-modified': new Date(file.createdAt).toUTCString(),
			'cache-control': 'public, max-age=3600',
		};
		return isKnown(c.req.raw.headers, file.etag, headers['last-modified'])
			? new Response(null, { status: 304, headers })
			: new Response(file.body, { headers: { ...headers, 'content-type': 'application/json' } });
	});
	addRoute(routes, directoryRoute, () => {
		if (directory === undefined) throw new ServiceError('not-found', { detail: 'requests are not signed' });
		const headers = {
			'content-type': keyDirectoryType,
			'cache-control': 'public, max-age=3600',
			etag: entityTag(directory),
		};
		return new Response(directory, { headers });
	});
	addRoute(routes, robotsRoute, () =>
		plain(
			'User-agent: *\nAllow: /$\nAllow: /bot\nAllow: /documents\nAllow: /domains\nAllow: /keys\nAllow: /reference\nAllow: /register\nAllow: /llms.txt\nAllow: /openapi.json\nDisallow: /\n',
		),
	);
	addRoute(routes, llmsRoute, () => plain(llmsText(bot.botName, baseUrl(config))));
	return routes;
};

const plain = (body: string) =>
	new Response(body, {
		headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
	});

const llmsText = (name: string, base: string) => `# ${name}

> An AIWebIndex service: the URL of a web page in, a clean document out, under the terms of the site.

- [How to get documents](${base}/documents), [keys](${base}/keys), [API reference](${base}/reference)
- [Interface](${base}/openapi.json): OpenAPI 3.1; \`POST /v1/aidocument\` with \`{"url": "https://…"}\`
- [Schema of a document](${base}/aidocument.schema.json)
- [About the crawler](${base}/bot): User-Agent, addresses, how to exclude it
- [Register of reports](${base}/register)
`;
