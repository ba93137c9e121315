import type { SigningKey } from '@wayleave/io';
import type { Agent } from '@wayleave/protocols/policy';
import { type SomFormat, somMediaTypes } from '@wayleave/protocols/som';
import { type Readings, unionOfReadings } from '@wayleave/protocols/url';
import type { Config } from '../config/schema.ts';
import { createSomEndpoint, type PageRequest, type SourcePage } from '../som/index.ts';
import { acceptedTypes } from '../som/negotiate.ts';
import type { Acquaintance } from './acquaintances.ts';
import { spendOnce, standingAnswers } from './decide.ts';
import type { Edition } from './edition.ts';
import { agentOf } from './identity.ts';
import type { Judged } from './ruling.ts';

/** Serves representations, at the endpoint and at the pages' own addresses. */
export interface Representations {
	/** An answer of the endpoint. */
	atEndpoint(judged: Judged): Promise<Response>;
	/**
	 * A page in another form, at its own address; undefined where the site's own response is to be passed on: it is not a
	 * public HTML page with status 200, or the client sends credentials and the page may differ for it.
	 */
	ofPage(judged: Judged, format: SomFormat): Promise<Response | undefined>;
	/**
	 * A page in another form at a neighbouring address; undefined if the site has that file, or the page does not exist.
	 */
	besidePage(judged: Judged, format: SomFormat, path: string): Promise<Response | undefined>;
}

export interface RepresentationOptions {
	readonly config: Config & { readonly som: NonNullable<Config['som']> };
	page(url: string, etag: string | undefined, request?: PageRequest): Promise<SourcePage>;
	/** Whether the site has a file of its own at an address. */
	has(url: string): Promise<boolean>;
	edition(): Edition;
	/** How the site reads a path. */
	readings(): Readings;
	readonly signingKey: SigningKey | undefined;
	readonly now: () => number;
}

/** The format that a client prefers to HTML; undefined for browsers and for whoever does not mind. */
export function preferredFormat(accept: string | undefined): SomFormat | undefined {
	if (accept === undefined || !/markdown|som\+json/i.test(accept)) return undefined;
	const types = ['text/html', somMediaTypes.markdown, somMediaTypes['SOM/1.0']];
	const [best] = acceptedTypes(accept, types);
	if (best === somMediaTypes.markdown) return 'markdown';
	return best === somMediaTypes['SOM/1.0'] ? 'SOM/1.0' : undefined;
}

const suffixes: readonly (readonly [string, SomFormat])[] = [
	['.som.json', 'SOM/1.0'],
	['.md', 'markdown'],
];

/** The page that `page.md` and `page.som.json` are representations of, as `publish` names them. */
export function besidePage(path: string): { readonly format: SomFormat; readonly of: string } | undefined {
	for (const [suffix, format] of suffixes) {
		if (path.endsWith(suffix) && !path.endsWith(`/${suffix}`)) return { format, of: path.slice(0, -suffix.length) };
	}
	return undefined;
}

export function createRepresentations(options: RepresentationOptions): Representations {
	const { config, signingKey } = options;
	// The endpoint sees a request of the Web; who sent it has been found out already.
	const callers = new WeakMap<Request, Caller>();
	/** Where the request itself was judged, an allow for one use has been spent on it: that is the use. */
	const justSpent = (judged: Judged): Grants => ({
		grants: new Map([
			...(judged.known.grants ?? []),
			...termsOf(judged).toAsk.flatMap((use) =>
				judged.known.grants?.has(use) ? [] : [[use, { at: judged.at, once: true }] as const],
			),
		]),
	});
	const termsOf = ({ identity }: Judged) => options.edition().for(agentOf(identity));
	const endpoint = createSomEndpoint({
		origin: config.origin,
		page: options.page,
		policies: () => options.edition().policies,
		readings(request) {
			const { readings } = callers.get(request)!.judged.visit;
			return readings === undefined ? options.readings() : unionOfReadings([options.readings(), readings]);
		},
		agent: (request): Agent => agentOf(callers.get(request)!.judged.identity),
		asks(request, url, fold) {
			const { judged, known } = callers.get(request)!;
			return standingAnswers(config, termsOf(judged), judged.identity, known, url, judged.at, fold);
		},
		client: (request) => callers.get(request)!.judged.identity.client,
		offerDisallowed: config.som.offerDisallowed,
		userContent: config.som.userContent,
		freshness: config.som.freshness,
		now: options.now,
		defaults: {
			scope: config.som.scope,
			format: config.som.format,
			...(config.som.tokenBudget !== undefined && { tokenBudget: config.som.tokenBudget }),
		},
		...(signingKey !== undefined && { signingKey }),
	});
	const requestOf = (caller: Caller, target: string): Request => {
		const { judged } = caller;
		const request = new Request(config.origin + target, { method: methodOf(judged), headers: headersOf(judged) });
		callers.set(request, caller);
		return request;
	};
	/** @param isOwnAddress the client asked for the page itself, so its own response is as good an answer. */
	const represent = async (caller: Caller, path: string, format: SomFormat, isOwnAddress: boolean) => {
		const page = encodeURIComponent(config.origin + path);
		const request = requestOf(caller, `/v1/som?url=${page}&format=${encodeURIComponent(format)}`);
		const response = isOwnAddress ? await endpoint.convert(request) : await endpoint.handle(request);
		if (response === undefined || response.status >= 400) return response;
		// Caches that do not keep variants apart must not give this to a browser.
		const headers = new Headers(response.headers);
		const control = headers.get('cache-control') ?? '';
		headers.set('cache-control', control.replace(/^public\b/, 'private'));
		return new Response(response.body, { status: response.status, headers });
	};
	return {
		async atEndpoint(judged) {
			const { known } = judged;
			// Spent before anything is waited for, so that two requests at once do not both use it.
			const before = { grants: new Map(known.grants) };
			const spent = spendOnce(known, termsOf(judged));
			const response = await endpoint.handle(requestOf({ judged, known: before }, judged.target?.raw ?? ''));
			if (!response.ok) for (const [use, grant] of spent) if (!known.grants?.has(use)) known.grants?.set(use, grant);
			return response;
		},
		async ofPage(judged, format) {
			if (sendsCredentials(judged)) return undefined;
			return await represent({ judged, known: justSpent(judged) }, judged.target!.raw, format, true);
		},
		async besidePage(judged, format, path) {
			if (await options.has(config.origin + judged.target!.raw)) return undefined;
			const folder = path.endsWith('/index') ? path.slice(0, -'index'.length) : path;
			for (const page of [folder, `${path}.html`]) {
				const response = await represent({ judged, known: justSpent(judged) }, page, format, false);
				if (response?.status !== 404) return response;
			}
			return undefined;
		},
	};
}

/** Whether the page may differ for this client alone: then nothing but the site's own response will do. */
function sendsCredentials({ visit }: Judged): boolean {
	return visit.header('cookie') !== undefined || visit.header('authorization') !== undefined;
}
type Grants = Pick<Acquaintance, 'grants'>;

interface Caller {
	readonly judged: Judged;
	/** What it has been given. */
	readonly known: Grants;
}

function methodOf({ visit }: Judged): string {
	return /^(?:CONNECT|TRACE|TRACK)$/i.test(visit.method) ? 'POST' : visit.method;
}

/** What of the request the endpoint reads. */
const forwarded = [
	'accept',
	'accept-language',
	'authorization',
	'cache-control',
	'if-none-match',
	'pragma',
	'user-agent',
	'x-agent-identity',
];

function headersOf({ visit }: Judged): Record<string, string> {
	const headers: Record<string, string> = {};
	for (const name of forwarded) {
		const value = visit.header(name);
		if (value !== undefined) headers[name] = value;
	}
	return headers;
}
