import { randomUUID } from 'node:crypto';
import type { SomFormat } from '@wayleave/protocols/som';
import { parseUrl } from '@wayleave/protocols/url';
import { answerAsk, onceNotKept } from '../ask/answer-ask.ts';
import type { Config } from '../config/schema.ts';
import { type DecidedRequest, type Decision, rawTarget } from '../decide/decision.ts';
import { honeypotPage } from '../honeypot/honeypot.ts';
import type { Served } from '../ledger/entry.ts';
import { type Published, respondWithFile } from '../policy/published-files.ts';
import { clientMemoryKey } from '../request/client-memory.ts';
import { agentOf } from '../request/identity.ts';
import { fromWebResponse, type GatewayResponse, lengthOf, problemResponse } from '../request/response.ts';
import type { Sharing } from '../request/sharing.ts';
import type { Visit } from '../request/visit.ts';
import {
	denialResponse,
	faultResponse,
	limitResponse,
	storeUnreachableResponse,
	termsUnknownResponse,
	tooManyRefusals,
} from './refusals.ts';
import type { Representations } from './representation.ts';

/** An answer, and what the ledger is to know about it. */
export interface Responded {
	readonly response: GatewayResponse;
	readonly served: Served;
}

/** Answers for the manifest of a site that is learned while it is served. */
export interface ManifestSource {
	respond(visit: Visit): GatewayResponse | undefined;
}

export interface RespondOptions {
	readonly config: Config;
	published(): Published;
	readonly representations: Representations | undefined;
	/** Bytes and tokens of a page as HTML, where it has been compiled. */
	sizeOf(url: string): { readonly bytes: number; readonly tokens: number } | undefined;
	readonly manifest: ManifestSource | undefined;
	/** State that several gateways have in common. */
	readonly sharing?: Sharing | undefined;
}

/** Answers what the gateway answers itself; undefined for what goes to the site. */
export function respond(
	options: RespondOptions,
	decided: DecidedRequest,
): Responded | Promise<Responded | undefined> | undefined {
	const { config } = options;
	const { decision, visit, identity } = decided;
	switch (decision.action) {
		case 'pass':
			return undefined;
		case 'refuse':
			return plain(refusalOf(decision.fault), visit);
		case 'file':
			return plain(fileResponse(options, decided, decision.path), visit);
		case 'ask':
			return respondToAsk(options, decided);
		case 'honeypot':
			return plain(honeypotPage, visit);
		case 'deny':
			return plain(denialResponse(config, identity, decision, rawTarget(decided)), visit);
		case 'limit':
			return plain(decision.refused ? tooManyRefusals(decision.wait) : limitResponse(config, decision.wait), visit);
		case 'som':
			if (options.representations === undefined) throw new Error('a request for SOM, but SOM is off');
			return represented(options, decided, options.representations.atEndpoint(decided));
		case 'represent':
			return inAnotherForm(options, decided, decision.format, decision.of);
	}
}

function refusalOf(fault: Extract<Decision, { action: 'refuse' }>['fault']): GatewayResponse {
	if (fault === 'terms-unknown') return termsUnknownResponse;
	return fault === 'store-unreachable' ? storeUnreachableResponse : faultResponse(fault);
}

function plain(response: GatewayResponse, { method }: Visit): Responded {
	const bytes = method === 'HEAD' ? 0 : lengthOf(response.body);
	return { response, served: { status: response.status, bytes } };
}

/** A policy file; a client that fetched it is known to have read it. */
function fileResponse(
	{ published, manifest }: RespondOptions,
	{ visit, known, at }: DecidedRequest,
	path: string,
): GatewayResponse {
	const { files, policyVersion, closed } = published();
	if (closed !== undefined && path === '/robots.txt') return termsUnknownResponse;
	const file = files.get(path);
	const response = file === undefined ? manifest?.respond(visit) : respondWithFile(file, visit);
	if (response === undefined) return problemResponse(404, 'not-found', 'The file does not exist');
	if ((path === '/robots.txt' || path === '/robots2.txt') && (response.status === 200 || response.status === 304)) {
		known.policy = policyVersion.version;
		known.policyAt = at;
	}
	if (path === '/.well-known/pagedigest.json') known.manifest = true;
	return response;
}

function respondToAsk(
	{ config, published, sharing }: RespondOptions,
	{ visit, identity, known, at }: DecidedRequest,
): Responded | Promise<Responded> {
	const { effective } = published().policyVersion.for(agentOf(identity));
	const { response, directive, decision } = answerAsk(config, effective, identity, visit);
	if (directive === undefined || decision === undefined) return plain(response, visit);
	known.asked ??= new Set();
	known.asked.add(directive);
	known.grants ??= new Map();
	const answered = {
		response,
		served: { status: response.status, bytes: 0, asked: directive, answer: decision.decision },
	};
	const once = decision.decision === 'allow-once';
	const id = sharing === undefined ? {} : { id: randomUUID() };
	const grant = decision.holds === 0 ? undefined : { at, once, ...id };
	// One for each directive, however often the agent asks; a no revokes an earlier permission.
	if (grant === undefined) known.grants.delete(directive);
	else known.grants.set(directive, grant);
	if (sharing === undefined) return answered;
	const stored = sharing.answered(clientMemoryKey(identity), { directive, grant, holds: decision.holds });
	return stored.then((isStored) => {
		if (isStored || !once) return answered;
		// One use of all gateways together cannot be promised.
		if (known.grants?.get(directive) === grant) known.grants?.delete(directive);
		return { response: onceNotKept, served: { ...answered.served, answer: 'deny' } };
	});
}

async function represented(
	options: RespondOptions,
	decided: DecidedRequest,
	converted: Promise<Response>,
): Promise<Responded> {
	const response = await fromWebResponse(await converted);
	const { served } = plain(response, decided.visit);
	const tokens = Number(response.headers['x-som-tokens']);
	const html = response.status === 200 ? options.sizeOf(pageOf(options.config, decided)) : undefined;
	if (html === undefined || Number.isNaN(tokens)) return { response, served };
	const saved = { bytesSaved: html.bytes - lengthOf(response.body), tokensSaved: html.tokens - tokens };
	return { response, served: { ...served, ...saved } };
}

/** A page in another form, at its own address or, with `of`, beside the page at that path. */
async function inAnotherForm(
	options: RespondOptions,
	decided: DecidedRequest,
	format: SomFormat,
	of: string | undefined,
): Promise<Responded | undefined> {
	const { representations } = options;
	const response = await (of === undefined
		? representations?.ofPage(decided, format)
		: representations?.besidePage(decided, format, of));
	return response && represented(options, decided, Promise.resolve(response));
}

/** The address of the page that is represented. */
function pageOf({ origin }: Config, decided: DecidedRequest): string {
	const { decision } = decided;
	if (decision.action === 'represent') return origin + (decision.of ?? rawTarget(decided));
	const wanted = new URL(origin + rawTarget(decided)).searchParams.get('url') ?? '';
	return parseUrl(wanted)?.href ?? wanted;
}
