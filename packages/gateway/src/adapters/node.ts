import type { IncomingMessage, OutgoingHttpHeader, RequestListener, ServerResponse } from 'node:http';
import type { Readings } from '@wayleave/protocols/url';
import type { Gateway } from '../engine/gateway.ts';
import { recordServed } from '../engine/observe-response.ts';
import { framingFault, framingResponse } from '../proxy/fields.ts';
import { sendResponse } from '../proxy/proxy-exchange.ts';
import { visitOfMessage } from '../proxy/server.ts';
import { cameThroughProxy, dropPathOverrides } from '../request/path-overrides.ts';
import type { Visit } from '../request/visit.ts';
import { addTerms } from '../respond/add-policy-headers.ts';
import { observeWrites, textOf } from './observe-writes.ts';

/** Passes a request to the next middleware of a Connect-style framework. */
export type Next = (error?: unknown) => void;
export type NodeMiddleware = (request: IncomingMessage, response: ServerResponse, next: Next) => void;

export interface NodeMiddlewareOptions {
	/** How the router behind reads a path. Default: as the policy file says. */
	readonly readings?: (request: IncomingMessage) => Readings;
}

/**
 * The gateway in front of the handlers of a server of Node: answers what is its own, and lets everything else through
 * with the terms among its headers.
 *
 * ```ts
 * http.createServer(withGateway(gateway, (request, response) => response.end('page')));
 * ```
 */
export function nodeMiddleware(gateway: Gateway, options: NodeMiddlewareOptions = {}): NodeMiddleware {
	return (request, response, next) => {
		const fault = framingFault(request);
		if (fault !== undefined) {
			sendResponse(request, response, framingResponse(fault));
			return;
		}
		serve(gateway, options, request, response, next).catch(next);
	};
}

/** A listener for `http.createServer`. */
export function withGateway(gateway: Gateway, listener: RequestListener): RequestListener {
	const middleware = nodeMiddleware(gateway);
	return (request, response) => {
		middleware(request, response, (error) => {
			if (error === undefined) listener(request, response);
			else response.writeHead(500).end();
		});
	};
}

/** The target as the client sent it, and as it was rewritten before. Frameworks cut off the prefix that they are mounted at. */
function namesOf(request: IncomingMessage): Pick<Visit, 'target' | 'alsoNamed'> {
	const { originalUrl, baseUrl, url = '/' } = request as IncomingMessage & { originalUrl?: string; baseUrl?: string };
	if (originalUrl === undefined) return { target: url };
	const isSame = baseUrl === undefined ? originalUrl.endsWith(url) : `${baseUrl}${url}` === originalUrl;
	return { target: originalUrl, ...(!isSame && { alsoNamed: [`${baseUrl ?? ''}${url}`] }) };
}

async function serve(
	gateway: Gateway,
	{ readings }: NodeMiddlewareOptions,
	request: IncomingMessage,
	response: ServerResponse,
	next: Next,
): Promise<void> {
	const visit = { ...visitOfMessage(request), ...namesOf(request), readings: readings?.(request) };
	const decided = await gateway.decide(visit);
	const responded = await gateway.respond(decided);
	if (responded !== undefined) {
		sendResponse(request, response, responded.response);
		gateway.record(decided, responded.served);
		return;
	}
	if (!cameThroughProxy(decided)) dropPathOverrides(request);
	addTermsLate(response, (status) =>
		gateway.termsOfPage(decided, { status, type: textOf(response.getHeader('content-type')) }),
	);
	observeWrites(gateway.changeObserver, decided, response, (name) => textOf(response.getHeader(name)));
	response.once('close', () => {
		const bytes = Number(response.getHeader('content-length') ?? 0);
		recordServed(gateway, decided, { status: response.statusCode, bytes });
	});
	next();
}

type RawHead = Readonly<Record<string, OutgoingHttpHeader>> | readonly OutgoingHttpHeader[];

/** Adds the terms at the last moment, when the page has said its own headers: none of them is lost, none replaced. */
function addTermsLate(response: ServerResponse, termsOf: (status: number) => Readonly<Record<string, string>>): void {
	const writeHead = response.writeHead;
	response.writeHead = function (this: ServerResponse, status: number, ...rest: (string | RawHead | undefined)[]) {
		const message = typeof rest[0] === 'string' ? rest[0] : undefined;
		const head = rest.find((part): part is RawHead => typeof part === 'object');
		for (const [name, value] of fieldsOf(head)) this.setHeader(name, value);
		addTerms(
			termsOf(status),
			(name) => this.hasHeader(name),
			(name, value) => this.appendHeader(name, value),
		);
		if (message !== undefined) this.statusMessage = message;
		return writeHead.call(this, status);
	} as typeof response.writeHead;
}

/** The fields that `writeHead` takes: an object, or names and values in turn, where a name may come again. */
function fieldsOf(head: RawHead | undefined): [string, number | string | string[]][] {
	if (head === undefined) return [];
	const fields = new Map<string, number | string | string[]>();
	const pairs: [string, OutgoingHttpHeader | undefined][] = Array.isArray(head)
		? head.flatMap((name, at) => (at % 2 === 0 ? [[String(name), head[at + 1]] as [string, OutgoingHttpHeader]] : []))
		: Object.entries(head);
	for (const [name, value] of pairs) {
		if (value === undefined) continue;
		const before = fields.get(name.toLowerCase());
		fields.set(name.toLowerCase(), before === undefined ? value : [before, value].flat().map(String));
	}
	return [...fields];
}
