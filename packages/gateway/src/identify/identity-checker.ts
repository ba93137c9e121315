import type { ReverseDns } from '@wayleave/io/dns';
import type { RangeLists } from '@wayleave/io/ranges';
import type { RequestVerdict, RequestVerifier } from '@wayleave/io/signatures';
import { AgentIndex, agentCatalogue, type KnownAgent, knownAgents } from '@wayleave/protocols/identity';
import type { Config } from '../config/schema.ts';
import { agentOf } from '../request/identity.ts';
import { type CheckedIdentity, describeIdentity } from './checked-identity.ts';
import { type Claim, ClaimReader } from './claim.ts';
import { type ClientAddress, type ClientAddressOptions, createClientAddress } from './client-address.ts';
import { reasonFor } from './outcome.ts';
import type { IdentityReason } from './reasons.ts';
import { mayVouch } from './signers.ts';
import type { Check, RequestFacts } from './types.ts';

export interface IdentityCheckerOptions extends ClientAddressOptions {
	/** Checks of claims; absent ones are skipped. */
	readonly lists?: Pick<RangeLists, 'lookup' | 'add'> & Partial<Pick<RangeLists, 'find'>>;
	readonly reverseDns?: Pick<ReverseDns, 'peek' | 'confirm'>;
	readonly signatures?: Pick<RequestVerifier, 'verify'>;
	/** How clients reach the site, whatever proxies speak to us: signatures are about its URLs. */
	readonly origin?: string;
	/** Agents to add to the catalogue or to override. */
	readonly agents?: readonly KnownAgent[];
	/** Whether a miss in a current list is proof enough for `spoofed`. Default false: lists lag behind. */
	readonly strictLists?: boolean;
	/** Told once that a proxy which the site does not trust names its clients: what is wrong, and the line that mends it. */
	readonly onNote?: (text: string) => void;
	/** How long `ask` waits for the DNS and for key directories, milliseconds. Default 0 and 2000. */
	readonly wait?: { readonly dns?: number; readonly signatures?: number };
}

/** Options from the policy file, for a checker with further checks. */
export function identityOptions({ trustedProxies, header, strictLists, agents }: Config['identity']) {
	return {
		trustedProxies,
		strictLists,
		agents,
		...(header !== undefined && { header }),
	} satisfies IdentityCheckerOptions;
}

type SignatureCheck = Extract<Check, { method: 'signature' }> | undefined;

/**
 * Finds out who calls: reads what a request claims, and checks it by published ranges, forward-confirmed reverse DNS and
 * signatures. A request without a claim costs no check.
 */
export class IdentityChecker {
	readonly agents: readonly KnownAgent[];
	readonly #options: IdentityCheckerOptions;
	readonly #clientAddress: ReturnType<typeof createClientAddress>;
	/** Agents by the URL of their list, without those that fetch for people: their addresses are shared with people. */
	readonly #byList = new Map<string, KnownAgent>();
	#hasNoted = false;
	readonly #claims: ClaimReader;
	readonly #wait: { readonly dns: number; readonly signatures: number };

	constructor(options: IdentityCheckerOptions = {}) {
		this.#options = options;
		this.#clientAddress = createClientAddress(options);
		this.agents = options.agents ?? [];
		this.#claims = new ClaimReader(new AgentIndex(this.agents, agentCatalogue));
		this.#wait = { dns: 0, signatures: 2000, ...options.wait };
		for (const agent of [...knownAgents, ...(options.agents ?? [])]) {
			const { ranges, userTriggered } = agent;
			if (ranges === undefined) continue;
			options.lists?.add(ranges);
			if (userTriggered !== true && !this.#byList.has(ranges)) this.#byList.set(ranges, agent);
		}
	}

	/**
	 * The identity without waiting: claims, lists, and cached results of the DNS. Where the DNS has not been
	 * asked it is asked now, for the next request, and the reason is `pending`; so it is where a signature is to be checked.
	 */
	identifyNow(facts: RequestFacts, claim = this.#claimOf(facts)): CheckedIdentity {
		const signature = this.#isSigned(facts) ? ({ method: 'signature', outcome: 'pending' } as const) : undefined;
		return this.#describe(facts, claim, this.#senderOf(facts), signature);
	}

	/**
	 * All that can be known within the time to wait; what comes later is `pending`. Never rejects. To be called once for a
	 * request: a signature holds once.
	 */
	async identify(facts: RequestFacts, wait = this.#wait, claim = this.#claimOf(facts)): Promise<CheckedIdentity> {
		const verdict = this.#isSigned(facts) ? await this.#verify(facts, claim, wait.signatures) : undefined;
		const sender = this.#senderOf(facts);
		const identity = this.#describe(facts, claim, sender, verdict);
		if (!isWaitingForDns(identity) || wait.dns <= 0) return identity;
		await within(wait.dns, this.#options.reverseDns?.confirm(identity.address, claim.agent?.reverseDns ?? []));
		return this.#describe(facts, claim, sender, verdict);
	}

	/**
	 * For the gateway: an identity at once, or undefined where `ask` has something to wait for. Lists and the answers of
	 * the DNS are at hand: to remember what they say about a claim from an address costs more than to ask them again.
	 *
	 * @param claim what the request says about itself, read by a caller that knows which names to look for.
	 */
	now(facts: RequestFacts, claim = this.#claimOf(facts)): CheckedIdentity | undefined {
		if (this.#isSigned(facts)) return undefined;
		const identity = this.#describe(facts, claim, this.#senderOf(facts), undefined);
		return this.#wait.dns > 0 && isWaitingForDns(identity) ? undefined : identity;
	}

	ask(facts: RequestFacts, claim = this.#claimOf(facts)): Promise<CheckedIdentity> {
		return this.identify(facts, this.#wait, claim);
	}

	#describe(facts: RequestFacts, claim: Claim, sender: ClientAddress, signature: SignatureCheck): CheckedIdentity {
		const undeclared = this.#undeclared(claim, sender.address, signature);
		if (undeclared !== undefined) return describeIdentity(...undeclared, sender, facts.header('signature-agent'));
		const checks = this.#check(claim, sender.address, signature);
		const reason = this.#reasonFor(claim, sender.address, checks);
		const signatureAgent = checks.length === 0 ? undefined : facts.header('signature-agent');
		const identity = describeIdentity(claim, reason, checks, sender, signatureAgent);
		return sender.ignored === undefined ? identity : { ...identity, sharesAddress: true };
	}

	#claimOf(facts: RequestFacts): Claim {
		return this.#claims.read(facts.header('user-agent'), facts.header('x-agent-identity'));
	}

	/** A request without a name, from an address in the list of a crawler: an empty User-Agent, or that of a browser. */
	#undeclared(claim: Claim, address: string, signature: SignatureCheck): [Claim, IdentityReason, Check[]] | undefined {
		if (claim.name !== undefined || claim.signal !== undefined || signature !== undefined) return undefined;
		const found = this.#options.lists?.find?.(address);
		const agent = found && this.#byList.get(found.url);
		if (found === undefined || agent === undefined || found.answer.result !== 'listed') return undefined;
		// An internal address is a proxy of ours with people behind it, regardless of the lists it is in.
		if (this.#clientAddress.isInternal(address)) return undefined;
		const name = agent.name ?? agent.token;
		const categories = agent.category === undefined ? [] : [agent.category];
		const attributed: Claim = { ...claim, agent, name, categories, as: agentOf({ name, categories }) };
		return [attributed, 'undeclared', [{ method: 'ranges', list: found.url, ...found.answer }]];
	}

	/**
	 * Identifies the client. The operator gets a warning about the first header that names a client and cannot be
	 * believed.
	 */
	#senderOf(facts: RequestFacts): ClientAddress {
		const sender = this.#clientAddress(facts);
		const { ignored, address } = sender;
		if (ignored === undefined || this.#hasNoted) return sender;
		this.#hasNoted = true;
		const name = ignored.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
		this.#options.onNote?.(
			`${name} comes from ${address}, which is not in identity.trustedProxies: all visitors count as this address. If ${address} is your proxy, add to the policy file: identity: { trustedProxies: ["${address}"] }`,
		);
		return sender;
	}

	#reasonFor(claim: Claim, address: string, checks: readonly Check[]): IdentityReason {
		const claims = claim.name !== undefined || checks.length > 0;
		if (!claims) return claim.anonymous ? 'anonymous' : 'no-claim';
		const reason = reasonFor(checks, this.#options.strictLists === true);
		const isCheckable = claim.agent?.ranges !== undefined || claim.agent?.reverseDns !== undefined;
		const isOpen = reason === 'no-method' || reason === 'signature-invalid' || reason === 'signature-unverifiable';
		return isOpen && isCheckable && this.#clientAddress.isInternal(address) ? 'no-public-address' : reason;
	}

	/** The checks in the order of their cost; a yes ends them. */
	#check(claim: Claim, address: string, signature: SignatureCheck): Check[] {
		const { lists, reverseDns } = this.#options;
		const checks: Check[] = [];
		if (claim.signal !== undefined) return [{ method: 'token', token: claim.signal.token, note: 'signal-only' }];
		if (signature?.outcome === 'valid') {
			const related = mayVouch(signature.agent, claim);
			checks.push({ ...signature, related });
			if (related) return checks;
		} else if (signature !== undefined) checks.push(signature);
		const { ranges, reverseDns: suffixes } = claim.agent ?? {};
		if (ranges === undefined && suffixes === undefined) return checks;
		// A proxy of ours or a machine of a private network has no name and no list that could prove or disprove anything.
		if (this.#clientAddress.isInternal(address)) return checks;
		if (ranges !== undefined && lists !== undefined) {
			const answer = lists.lookup(ranges, address);
			checks.push({ method: 'ranges', list: ranges, ...answer });
			if (answer.result === 'listed') return checks;
		}
		if (suffixes !== undefined && reverseDns !== undefined) {
			const answer = reverseDns.peek(address, suffixes);
			if (answer === undefined) void reverseDns.confirm(address, suffixes);
			checks.push({ method: 'reverse-dns', ...(answer ?? { outcome: 'pending' }) });
		}
		return checks;
	}

	#isSigned(facts: RequestFacts): boolean {
		return this.#options.signatures !== undefined && facts.header('signature-input') !== undefined;
	}

	async #verify(facts: RequestFacts, claim: Claim, wait: number): Promise<SignatureCheck> {
		const url = absoluteUrl(facts, this.#options.origin ?? 'https://');
		const verdict = await within<RequestVerdict>(
			wait,
			this.#options.signatures?.verify({ method: facts.method, url, header: (name) => facts.header(name) }, (signer) =>
				mayVouch(signer, claim),
			),
		);
		if (verdict === undefined) return { method: 'signature', outcome: 'pending' };
		return verdict.outcome === 'absent' ? undefined : { method: 'signature', ...verdict };
	}
}

function isWaitingForDns({ evidence }: CheckedIdentity): boolean {
	return evidence.checks.some((check) => check.method === 'reverse-dns' && check.outcome === 'pending');
}

/** The URL that was asked for, with path and query as they were sent; without Host it can only be ours that was meant. */
function absoluteUrl(facts: RequestFacts, origin: string): string {
	const { target } = facts;
	if (!target.startsWith('/')) return target;
	const host = facts.header('host');
	return host === undefined ? origin + target : `${origin.slice(0, origin.indexOf('//') + 2)}${host}${target}`;
}

/** The value of a promise; undefined if it is late. */
async function within<Value>(milliseconds: number, promise: Promise<Value> | undefined): Promise<Value | undefined> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<undefined>((resolve) => {
		timer = setTimeout(() => resolve(undefined), milliseconds);
	});
	try {
		return await Promise.race([promise, late]);
	} finally {
		clearTimeout(timer);
	}
}
