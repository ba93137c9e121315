import type { SigningKey } from '@wayleave/io';
import type { Agent, HostPolicies } from '@wayleave/protocols/policy';
import { type SomFormat, somMediaTypes } from '@wayleave/protocols/som';
import Negotiator from 'negotiator';
import type { Config } from '../config/schema.ts';
import { type SourcePage, somEndpoint } from '../som/index.ts';
import { agentOf } from './identity.ts';
import type { Judged } from './ruling.ts';

/** Serves representations, at the endpoint and at the pages' own addresses. */
export interface Representations {
	/** An answer of the endpoint. */
	atEndpoint(judged: Judged): Promise<Response>;
	/** A page in another form, at its own address. */
	ofPage(judged: Judged, format: SomFormat): Promise<Response>;
}

export interface RepresentationOptions {
	readonly config: Config & { readonly som: NonNullable<Config['som']> };
	page(url: string, etag: string | undefined): Promise<SourcePage>;
	policies(): HostPolicies;
	readonly signingKey: SigningKey | undefined;
	readonly now: () => number;
}

/** The format that a client prefers to HTML; undefined for browsers and for whoever does not mind. */
export function preferredFormat(accept: string | undefined): SomFormat | undefined {
	if (accept === undefined || !/markdown|som\+json/i.test(accept)) return undefined;
	const types = ['text/html', somMediaTypes.markdown, somMediaTypes['SOM/1.0']];
	const [best] = new Negotiator({ headers: { accept } }).mediaTypes(types);
	if (best === somMediaTypes.markdown) return 'markdown';
	return best === somMediaTypes['SOM/1.0'] ? 'SOM/1.0' : undefined;
}

export function createRepresentations(options: RepresentationOptions): Representations {
	const { config, signingKey } = options;
	// The endpoint sees a request of the Web; who sent it has been found out already.
	const callers = new WeakMap<Request, Judged>();
	const handle = somEndpoint({
		origin: config.origin,
		page: options.page,
		policies: options.policies,
		agent: (request): Agent => agentOf(callers.get(request)!.identity),
		client: (request) => callers.get(request)!.identity.client,
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
	const ask = (judged: Judged, target: string) => {
		const request = new Request(config.origin + target, { method: methodOf(judged), headers: headersOf(judged) });
		callers.set(request, judged);
		return handle(request);
	};
	return {
		atEndpoint: (judged) => ask(judged, judged.target!.raw),
		async ofPage(judged, format) {
			const page = encodeURIComponent(config.origin + judged.target!.raw);
			const response = await ask(judged, `/v1/som?url=${page}&format=${encodeURIComponent(format)}`);
			// Caches that do not keep variants apart must not give this to a browser.
			const headers = new Headers(response.headers);
			if (response.ok) headers.set('cache-control', `private, max-age=${config.som.freshness}`);
			headers.set('vary', 'Accept, User-Agent, X-Agent-Identity');
			return new Response(response.body, { status: response.status, headers });
		},
	};
}

function methodOf({ visit }: Judged): string {
	return /^(?:CONNECT|TRACE|TRACK)$/i.test(visit.method) ? 'POST' : visit.method;
}

function headersOf({ visit }: Judged): Record<string, string> {
	const headers: Record<string, string> = {};
	for (const name of ['accept', 'if-none-match', 'authorization', 'user-agent', 'x-agent-identity']) {
		const value = visit.header(name);
		if (value !== undefined) headers[name] = value;
	}
	return headers;
}
