import type { Outcome } from './types.ts';

/** Why an outcome is what it is: its row in `docs/identify.md`. */
export const identityReasons = {
	listed: ['verified', 'the address is in the list that the operator publishes'],
	'reverse-dns': ['verified', 'the address has a name of the operator, and the name leads back to the address'],
	undeclared: ['verified', 'the address is in an operator’s list, though the request does not name its agent'],
	signature: ['verified', 'the request is signed with a key that the operator publishes'],
	'signal-token': ['spoofed', 'it names itself by a token that stands in robots.txt only and that no request carries'],
	'reverse-dns-mismatch': ['spoofed', 'the names of the address are not the operator’s, or do not lead back to it'],
	'no-ptr': ['spoofed', 'the address has no name, and all addresses of the operator have one'],
	'signature-forged': ['spoofed', 'a signature is there in somebody’s name, and it is wrong for this request'],
	'signature-replayed': ['spoofed', 'the signature was used before'],
	'not-listed-strict': ['spoofed', 'the address is not in the current list, and the site takes that for proof'],
	'not-listed': ['unverified', 'the address is not in the current list, which alone proves nothing'],
	'list-stale': ['unverified', 'the address is not in the list, which has not been confirmed for too long'],
	'list-empty': ['unverified', 'the operator declares no addresses'],
	'list-unavailable': ['unverified', 'no list of the operator has been read yet'],
	'dns-failed': ['unverified', 'the DNS was in trouble'],
	'dns-timeout': ['unverified', 'the DNS did not answer in time'],
	'no-forward': ['unverified', 'the name of the address is the operator’s and has no address'],
	pending: ['unverified', 'the answer is not there yet'],
	'signature-invalid': ['unverified', 'a signature is there and cannot be accepted'],
	'signature-unverifiable': ['unverified', 'a signature is there, and its keys could not be read'],
	'signer-unrelated': ['unverified', 'the request is signed by somebody else than the agent that it names'],
	'no-public-address': [
		'unverified',
		'the address of the client is not known: a private network or a proxy of the site is connected',
	],
	'no-method': ['unverified', 'the operator publishes nothing by which it could be checked'],
	'no-claim': ['unknown', 'it names no agent: a browser, or a tool'],
	anonymous: ['unknown', 'it has no User-Agent'],
} as const satisfies Record<string, readonly [Outcome, string]>;

export type IdentityReason = keyof typeof identityReasons;

export function outcomeOf(reason: IdentityReason): Outcome {
	return identityReasons[reason][0];
}
