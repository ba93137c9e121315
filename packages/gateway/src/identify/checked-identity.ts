import { parseUrl } from '@wayleave/protocols/url';
import type { Identity } from '../request/identity.ts';
import type { Claim } from './claim.ts';
import { type ClientAddress, networkOf } from './client-address.ts';
import { type IdentityReason, outcomeOf } from './reasons.ts';
import type { Check, IdentityEvidence } from './types.ts';

/** The identity of a caller, and how it was checked. */
export interface CheckedIdentity extends Identity {
	readonly reason: IdentityReason;
	readonly otherNames: readonly string[];
	readonly userTriggered?: true;
	readonly verification?: true;
	readonly sharesAddress?: true;
	readonly evidence: IdentityEvidence;
}

/** Puts together what was claimed and what was found. */
export function describeIdentity(
	claim: Claim,
	reason: IdentityReason,
	checks: readonly Check[],
	{ address, via }: ClientAddress,
	signatureAgent: string | undefined,
): CheckedIdentity {
	const outcome = outcomeOf(reason);
	const { agent, token, otherNames, version, categories } = claim;
	const signer = signerOf(checks);
	const name = claim.name ?? signer;
	// A name of its own choosing says nothing about who it is; its domain does.
	const verified = outcome === 'verified' ? (agent?.name ?? agent?.token ?? signer) : undefined;
	return {
		outcome,
		reason,
		...(name !== undefined && { name }),
		...(token !== undefined && { token }),
		otherNames,
		...(version !== undefined && { version }),
		...(agent?.operator !== undefined && { operator: agent.operator }),
		categories,
		...(claim.as !== undefined && { agent: claim.as }),
		...(claim.userTriggered && { userTriggered: true }),
		...(claim.verification && { verification: true }),
		client: verified ?? networkOf(address),
		address,
		evidence: {
			reason,
			claimed:
				signatureAgent === undefined ? claim.shown : { ...claim.shown, signatureAgent: signatureAgent.slice(0, 300) },
			addressFrom: via,
			checks,
		},
	};
}

/** The host of the signer, as the name of a request that gives no other. */
function signerOf(checks: readonly Check[]): string | undefined {
	for (const check of checks) {
		if (check.method !== 'signature' || check.outcome === 'pending') continue;
		const agent = check.agent === undefined ? undefined : parseUrl(check.agent);
		if (agent !== undefined) return agent.host || undefined;
	}
	return undefined;
}
