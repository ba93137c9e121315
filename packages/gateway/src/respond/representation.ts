import type { SigningKey } from '@wayleave/io/signatures';
import type { Agent } from '@wayleave/protocols/policy';
import type { SomFormat } from '@wayleave/protocols/som';
import { type Readings, unionOfReadings } from '@wayleave/protocols/url';
import type { Config } from '../config/schema.ts';
import { currentGrants, spendAll, spendOnce } from '../decide/decide.ts';
import { type DecidedRequest, rawTarget } from '../decide/decision.ts';
import type { PolicyVersion } from '../policy/policy-version.ts';
import type { ClientState, Grant } from '../request/client-memory.ts';
import { agentOf } from '../request/identity.ts';
import { toWebResponse } from '../request/response.ts';
import type { Sharing } from '../request/sharing.ts';
import { createSomEndpoint, type PageRequest, type SourcePage } from '../som/index.ts';
import { storeUnreachableResponse } from './refusals.ts';

/** Serves representations, at the endpoint and at the pages' own addresses. */
export interface Representations {
	/** An answer of the endpoint. */
	atEndpoint(decided: DecidedRequest): Promise<Response>;
	/**
	 * A page in another form, at its own address; undefined where the site's own response is to be passed on: it is not a
	 * public HTML page with status 200, or the client sends credentials and the page may differ for it.
	 */
	ofPage(decided: DecidedRequest, format: SomFormat): Promise<Response | undefined>;
	/**
	 * A page in another form at a neighbouring address; undefined if the site has that file, or the page does not exist.
	 */
	besidePage(decided: DecidedRequest, format: SomFormat, path: string): Promise<Response | undefined>;
}

export interface RepresentationOptions {
	readonly config: Config & { readonly som: NonNullable<Config['som']> };
	page(url: string, etag: string | undefined, request?: PageRequest): Promise<SourcePage>;
	/** Whether the site has a file of its own at an address. */
	has(url: string): Promise<boolean>;
	policyVersion(): PolicyVersion;
	/** How the site reads a path. */
	readings(): Readings;
	readonly signingKey: SigningKey | undefined;
	readonly now: () => number;
	/** State that several gateways have in common. */
	readonly sharing?: Sharing | undefined;
}

export function createRepresentations(options: RepresentationOptions): Representations {
	const { config, signingKey } = options;
	// The endpoint sees a request of the Web; who sent it has been found out already.
	const callers = new WeakMap<Request, Caller>();
	const callerOf = (request: Request): Caller => {
		const caller = callers.get(request);
		if (caller === undefined) throw new Error('the endpoint asks about a request that it was not given');
		return caller;
	};
	/** Where the request itself was judged, an allow for one use has been spent on it: that is the use. */
	const justSpent = (decided: DecidedRequest): Grants => ({
		grants: new Map([
			...(decided.known.grants ?? []),
			...termsOf(decided).toAsk.flatMap((use) =>
				decided.known.grants?.has(use) ? [] : [[use, { at: decided.at, once: true } as Grant] as const],
			),
		]),
	});
	const termsOf = ({ identity }: DecidedRequest) => options.policyVersion().for(agentOf(identity));
	const endpoint = createSomEndpoint({
		origin: config.origin,
		page: options.page,
		policies: () => options.policyVersion().policies,
		readings(request) {
			const { readings } = callerOf(request).decided.visit;
			return readings === undefined ? options.readings() : unionOfReadings([options.readings(), readings]);
		},
		agent: (request): Agent => agentOf(callerOf(request).decided.identity),
		asks(request, url, fold) {
			const { decided, known } = callerOf(request);
			return currentGrants(config, termsOf(decided), decided.identity, known, url, decided.at, fold);
		},
		client: (request) => callerOf(request).decided.identity.client,
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
		const { decided } = caller;
		const request = new Request(config.origin + target, { method: methodOf(decided), headers: headersOf(decided) });
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
		async atEndpoint(decided) {
			const { known } = decided;
			const { sharing } = options;
			const terms = termsOf(decided);
			// Another gateway may have given a permission a moment ago.
			if (terms.toAsk.length > 0) await sharing?.refresh();
			// Spent before anything is waited for, so that two requests at once do not both use it.
			const before = { grants: new Map(known.grants) };
			const spent = spendOnce(known, terms);
			const restore = () => {
				for (const [use, grant] of spent) if (!known.grants?.has(use)) known.grants?.set(use, grant);
			};
			const outcome = sharing === undefined ? 'spent' : await spendAll(sharing, spent);
			if (outcome === 'unreachable') {
				restore();
				return toWebResponse(storeUnreachableResponse, decided.visit.method);
			}
			// Another gateway was first.
			if (outcome === 'gone') for (const [use] of spent) before.grants.delete(use);
			const response = await endpoint.handle(requestOf({ decided, known: before }, decided.target?.raw ?? ''));
			if (!response.ok && outcome === 'spent') {
				restore();
				for (const [, grant] of spent) sharing?.giveBack(grant);
			}
			return response;
		},
		async ofPage(decided, format) {
			if (sendsCredentials(decided)) return undefined;
			return await represent({ decided, known: justSpent(decided) }, rawTarget(decided), format, true);
		},
		async besidePage(decided, format, path) {
			if (await options.has(config.origin + rawTarget(decided))) return undefined;
			const folder = path.endsWith('/index') ? path.slice(0, -'index'.length) : path;
			for (const page of [folder, `${path}.html`]) {
				const response = await represent({ decided, known: justSpent(decided) }, page, format, false);
				if (response?.status !== 404) return response;
			}
			return undefined;
		},
	};
}

/** Whether the page may differ for this client alone: then nothing but the site's own response will do. */
function sendsCredentials({ visit }: DecidedRequest): boolean {
	return visit.header('cookie') !== undefined || visit.header('authorization') !== undefined;
}
type Grants = Pick<ClientState, 'grants'>;

interface Caller {
	readonly decided: DecidedRequest;
	/** Its permissions. */
	readonly known: Grants;
}

function methodOf({ visit }: DecidedRequest): string {
	return /^(?:CONNECT|TRACE|TRACK)$/i.test(visit.method) ? 'POST' : visit.method;
}

/** Request fields that the endpoint reads. */
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

function headersOf({ visit }: DecidedRequest): Record<string, string> {
	const headers: Record<string, string> = {};
	for (const name of forwarded) {
		const value = visit.header(name);
		if (value !== undefined) headers[name] = value;
	}
	return headers;
}
