import { type InnerList, type Parameters, parseDictionary } from '@wayleave/protocols/headers';
import { type NamedAgent, parseSignatureAgent } from './agent-field.ts';
import { invalid, type RequestVerdict, type SignedRequest } from './request-verdict.ts';
import { webBotAuthTag } from './sign-request.ts';

/** Most signatures that are checked: each may cost a request. */
const maxSignatures = 4;

/** A signature that says that it identifies an agent. */
export interface Candidate {
	readonly label: string;
	readonly components: InnerList['value'];
	readonly created: number | undefined;
	readonly expires: number | undefined;
	readonly keyId: string | undefined;
	readonly alg: string | undefined;
	readonly nonce: string | undefined;
}

/** The signatures of a Signature-Input header that identify an agent, the first few; undefined when it is malformed. */
export function readCandidates(input: string): Candidate[] | undefined {
	const dictionary = parseDictionary(input);
	if (dictionary === undefined) return undefined;
	const candidates: Candidate[] = [];
	for (const [label, member] of dictionary) {
		if (member.type !== 'inner-list' || text(member.params, 'tag') !== webBotAuthTag) continue;
		if (candidates.length === maxSignatures) break;
		candidates.push({
			label,
			components: member.value,
			created: seconds(member.params, 'created'),
			expires: seconds(member.params, 'expires'),
			keyId: text(member.params, 'keyid'),
			alg: text(member.params, 'alg'),
			nonce: text(member.params, 'nonce'),
		});
	}
	return candidates;
}

function text(params: Parameters, name: string): string | undefined {
	const item = params.get(name);
	return item?.type === 'string' ? item.value : undefined;
}

function seconds(params: Parameters, name: string): number | undefined {
	const item = params.get(name);
	return item?.type === 'integer' ? item.value : undefined;
}

/**
 * The Signature-Agent that a signature covers, or what is wrong with its coverage: without the authority it could be
 * replayed to another host, without the agent it could be given to another one.
 */
export function coverage(request: SignedRequest, { label, components }: Candidate): string | RequestVerdict {
	const plain = (name: string) => components.some((item) => item.value === name && item.params.size === 0);
	if (!plain('@authority') && !plain('@target-uri'))
		return invalid('uncovered-component', 'neither @authority nor @target-uri is covered');
	const field = request.header('signature-agent');
	if (!field) return { outcome: 'unverifiable', reason: 'no-agent', detail: 'the request has no Signature-Agent' };
	const agents = parseSignatureAgent(field);
	if (agents === undefined) return invalid('malformed', 'Signature-Agent is malformed');
	if (agents.form === 'string') {
		// The string is a dictionary of one member, under the label of the signature.
		return plain('signature-agent')
			? addressOf(agents.agent)
			: invalid('uncovered-component', 'signature-agent is not covered');
	}
	const keys = components.flatMap((item) => {
		const key = item.value === 'signature-agent' ? (text(item.params, 'key') ?? label) : undefined;
		return key === undefined ? [] : [key];
	});
	const [key, ...others] = keys;
	if (key === undefined) return invalid('uncovered-component', 'signature-agent is not covered');
	const agent = agents.agents.get(key);
	if (agent === undefined || others.length > 0)
		return invalid('malformed', 'the signature must cover exactly one member of Signature-Agent');
	return addressOf(agent);
}

/** Up to version 00 a type made the address that of a document; version 01 has all members with parameters ignored. */
function addressOf({ address, parameter }: NamedAgent): string | RequestVerdict {
	if (parameter === undefined) return address;
	const detail = `Signature-Agent has the parameter ${parameter.slice(0, 40)}: such a member is not read`;
	return { outcome: 'unverifiable', reason: 'no-agent', detail, agent: address };
}
