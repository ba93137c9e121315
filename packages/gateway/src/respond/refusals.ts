import type { Verdict } from '@wayleave/protocols/policy';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config/schema.ts';
import type { Decision } from '../decide/decision.ts';
import type { Identity } from '../request/identity.ts';
import { type GatewayResponse, problemResponse } from '../request/response.ts';
import type { TargetFault } from '../request/target.ts';

type Denial = Extract<Decision, { action: 'deny' }>;

/** 403 with the lines that decide, where the terms stand, and how a client may say who it is. */
export function denialResponse(config: Config, identity: Identity, decision: Denial, path: string): GatewayResponse {
	const depends = decision.reason === 'spoofed' || somAlternative(config, path) !== undefined;
	if (depends) return writeDenial(config, identity, decision, path);
	// Many paths are denied by the same line: all but the name of the agent is written once.
	const written = denials.get(decision.verdict) ?? {};
	denials.set(decision.verdict, written);
	const response =
		written[identity.outcome] ??
		new NamedResponse(writeDenial(config, { ...identity, name: placeholder }, decision, path));
	written[identity.outcome] = response;
	return response.for(identity.name);
}

/** Denials that are kept written, by the lines that decide; no name is part of a key, since clients write these. */
const denials = new LRUCache<Verdict, Partial<Record<Identity['outcome'], NamedResponse>>>({ max: 1000 });

/** No product token holds a space. */
const placeholder = 'name of the agent';

/** An answer that is the same for all agents but for their name. */
class NamedResponse {
	readonly #response: GatewayResponse;
	readonly #head: Uint8Array;
	readonly #tail: Uint8Array;
	/** The one that was given last: agents come many times in a row. */
	#last: { readonly name: string | undefined; readonly response: GatewayResponse } | undefined;

	constructor(response: GatewayResponse) {
		this.#response = response;
		const [head = '', tail = ''] = String(response.body).split(`"agent":${JSON.stringify(placeholder)},`);
		this.#head = utf8.encode(head);
		this.#tail = utf8.encode(tail);
	}

	for(name: string | undefined): GatewayResponse {
		if (this.#last !== undefined && this.#last.name === name) return this.#last.response;
		const agent = name === undefined ? new Uint8Array() : utf8.encode(`"agent":${JSON.stringify(name)},`);
		const body = new Uint8Array(this.#head.length + agent.length + this.#tail.length);
		body.set(this.#head);
		body.set(agent, this.#head.length);
		body.set(this.#tail, this.#head.length + agent.length);
		this.#last = { name, response: { ...this.#response, body } };
		return this.#last.response;
	}
}

const utf8 = new TextEncoder();

function writeDenial(config: Config, identity: Identity, decision: Denial, path: string): GatewayResponse {
	const { origin } = config;
	const common = {
		agent: identity.name,
		identity: identity.outcome,
		policy: { robots: `${origin}/robots.txt`, robots2: `${origin}/robots2.txt` },
		introduce,
		...(config.reportTo.length > 0 && { contact: config.reportTo }),
	};
	const headers = { link: `<${origin}/robots2.txt>; rel="describedby"` };
	if (decision.reason === 'spoofed') {
		const detail = `The request claims to come from ${identity.name}, but verification shows that it does not.`;
		return problemResponse(403, 'identity-spoofed', 'The claimed identity is false', { detail, ...common }, headers);
	}
	const { verdict } = decision;
	const more = { use: verdict.use, evidence: verdict.because, ...common };
	if (decision.reason === 'not-permitted') {
		const alternative = somAlternative(config, path);
		const extra = { ...more, ...(alternative !== undefined && { alternative }) };
		return problemResponse(403, 'not-permitted', `The site does not permit ${verdict.use}`, extra, headers);
	}
	const ask = (verdict.ask ?? []).map((directive) => `${origin}/.well-known/robots2-ask?directive=${directive}`);
	return problemResponse(
		403,
		'ask-first',
		`The site requires permission for ${verdict.use}`,
		{ ...more, ask },
		headers,
	);
}

/** How an agent can identify itself, for readers of a denial. */
const introduce = {
	'User-Agent': 'your product token with the URL of a page about your agent: ExampleBot/1.0 (+https://bot.example/)',
	'X-Agent-Identity': 'ExampleBot/1.0 (ai-assistant)',
	verification: 'published address ranges, forward-confirmed reverse DNS, or an HTTP message signature (RFC 9421)',
};

/** The representation offered if HTML is withheld. */
function somAlternative({ origin, som }: Config, path: string): string | undefined {
	if (som?.offerDisallowed !== true) return undefined;
	const endpoint = new URL(som.endpoint, origin);
	endpoint.searchParams.set('url', `${origin}${path}`);
	return endpoint.href;
}

/** 429: how long to wait, and where to see what has changed instead of fetching it all again. */
export function limitResponse(config: Config, wait: number): GatewayResponse {
	const headers = {
		'retry-after': String(Math.max(1, Math.ceil(wait / 1000))),
		...(config.pagedigest !== undefined && {
			link: '</.well-known/pagedigest.json>; rel="https://pagedigest.org/rel"',
		}),
	};
	return problemResponse(429, 'rate-limited', 'Too many requests', { policy: `${config.origin}/robots2.txt` }, headers);
}

/** 429 without a body, for an address that is refused again and again: it costs next to nothing. */
export function tooManyRefusals(wait: number): GatewayResponse {
	const headers = { 'retry-after': String(Math.max(1, Math.ceil(wait / 1000))), 'cache-control': 'no-store' };
	return { status: 429, headers, body: '' };
}

const faults: Record<TargetFault, readonly [status: number, title: string]> = {
	'bad-character': [400, 'The request target contains a character that must be escaped in a URL'],
	'bad-escape': [400, 'The path contains a % that is not followed by two hexadecimal digits'],
	'dot-segment': [400, 'The path contains a . or .. segment'],
	'too-ambiguous': [400, 'The path is ambiguous: servers could parse it in too many ways'],
	fragment: [400, 'The request target contains a fragment'],
	'foreign-authority': [421, 'The request target names another host'],
	'not-a-path': [400, 'The request target is not a path'],
};

const written = Object.fromEntries(
	Object.entries(faults).map(([fault, [status, title]]) => [fault, problemResponse(status, fault, title)]),
) as Record<TargetFault, GatewayResponse>;

/** 400 or 421 for what cannot be judged as it would be forwarded. Anybody can send these without end: written once. */
export function faultResponse(fault: TargetFault): GatewayResponse {
	return written[fault];
}

/** 503 while the site's own robots.txt is unknown (RFC 9309 §2.3.1.4). */
export const termsUnknownResponse: GatewayResponse = problemResponse(
	503,
	'terms-unknown',
	'The robots.txt of the site cannot be read right now: agents get access again when it can',
	{},
	{ 'retry-after': '30' },
);

/** 503 while the store that several gateways share cannot say whether a permission is still there. */
export const storeUnreachableResponse: GatewayResponse = problemResponse(
	503,
	'store-unreachable',
	'The gateway cannot reach the store in which permissions of agents are kept: try again when it can',
	{},
	{ 'retry-after': '30' },
);
