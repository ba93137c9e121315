import { parseAgentIdentity } from '@wayleave/protocols/identity';
import { directive, directiveNamed, type EffectivePolicy, type PermissionName } from '@wayleave/protocols/robots2';
import type { Config } from '../config/schema.ts';
import type { Identity } from '../request/identity.ts';
import { type GatewayResponse, problemResponse } from '../request/response.ts';
import type { Visit } from '../request/visit.ts';
import { type AskDecision, decideAsk } from './decide-ask.ts';

/** An ask, answered: the decision is kept for the record. */
export interface AnsweredAsk {
	readonly response: GatewayResponse;
	readonly directive?: PermissionName;
	readonly decision?: AskDecision;
}

/** `GET` is answered as `HEAD` is: some clients can do no other. */
const methods = new Set(['HEAD', 'GET']);

/**
 * Answers `/.well-known/robots2-ask` (robots2 §6) to the identity that pages are judged by. Without the header, or
 * where the query names another agent, the answer is deny.
 */
export function answerAsk(
	config: Pick<Config, 'ask' | 'identity'>,
	effective: EffectivePolicy,
	identity: Identity,
	visit: Visit,
): AnsweredAsk {
	if (!methods.has(visit.method)) {
		return { response: problemResponse(405, 'method-not-allowed', 'Use HEAD or GET', {}, { allow: 'HEAD, GET' }) };
	}
	const query = new URLSearchParams(visit.target.split('?', 2)[1] ?? '');
	const name = directiveNamed(query.get('directive') ?? '');
	if (name === undefined || directive(name).kind !== 'permission') {
		return {
			response: problemResponse(
				400,
				'unknown-directive',
				'The query parameter "directive" is missing, such as ?directive=train',
			),
		};
	}
	const asked = name as PermissionName;
	const decision = decideAsk(config, effective, asked, saysWho(visit, query) ? identity : undefined);
	return { response: { status: 200, headers: decisionHeaders(decision), body: '' }, directive: asked, decision };
}

/** Whether the header says who asks, and the query says nothing else. */
function saysWho(visit: Visit, query: URLSearchParams): boolean {
	const declared = parseAgentIdentity(visit.header('x-agent-identity') ?? '');
	if (declared === undefined) return false;
	const named = query.get('agent')?.split('/', 1)[0];
	return named === undefined || named.toLowerCase() === declared.name.toLowerCase();
}

/** The answer where an allow for one use cannot be kept for all gateways: a no, for now. */
export const onceNotKept: GatewayResponse = {
	status: 200,
	headers: decisionHeaders({ decision: 'deny', scopes: [], maxAge: 0, holds: 0, reason: 'store-unreachable' }),
	body: '',
};

/** A comma separates scopes on the wire. */
function decisionHeaders({ decision, scopes, maxAge, reason }: AskDecision): GatewayResponse['headers'] {
	return {
		'x-robots2-decision': decision,
		...(reason !== undefined && { 'x-wayleave-reason': reason }),
		...(scopes.length > 0 && { 'x-robots2-scope': scopes.map((scope) => scope.replaceAll(',', '%2C')) }),
		'cache-control': decision === 'allow' ? `private, max-age=${maxAge}` : 'no-store',
		vary: 'X-Agent-Identity',
		'content-length': '0',
	};
}
