import type { Outcome } from '../request/identity.ts';

/** Why an outcome is what it is: its row in `docs/explanation/identify.md`. */
export const identityReasons = {
	listed: ['verified', "the address is in the operator's published list"],
	'reverse-dns': ['verified', 'reverse DNS gives a host name of the operator, which resolves back to the address'],
	undeclared: ['verified', 'the address is in an operator’s list, but the request does not name the agent'],
	signature: ['verified', 'the request is signed with a key published by the operator'],
	'signal-token': ['spoofed', 'the User-Agent is a token for robots.txt only, which no honest request sends'],
	'reverse-dns-mismatch': [
		'spoofed',
		'reverse DNS gives no host name of the operator, or one that does not resolve back',
	],
	'no-ptr': ['spoofed', 'the address has no reverse DNS name, but all addresses of the operator have one'],
	'signature-forged': ['spoofed', 'the signature does not match this request'],
	'signature-replayed': ['spoofed', 'the signature was used before'],
	'not-listed-strict': ['spoofed', 'the address is not in the current list, which the site treats as proof'],
	'not-listed': ['unverified', 'the address is not in the current list, which alone proves nothing'],
	'list-stale': ['unverified', 'the address is not in the list, which is outdated'],
	'list-empty': ['unverified', 'the operator declares no addresses'],
	'list-unavailable': ['unverified', 'no list of the operator has been fetched yet'],
	'dns-failed': ['unverified', 'the DNS lookup failed'],
	'dns-timeout': ['unverified', 'the DNS did not respond in time'],
	'no-forward': ['unverified', 'reverse DNS gives a host name of the operator that has no address'],
	pending: ['unverified', 'the check has not finished yet'],
	'signature-invalid': ['unverified', 'the signature is not acceptable'],
	'signature-unverifiable': ['unverified', 'the keys of the signature could not be fetched'],
	'signer-unrelated': ['unverified', 'the signer is not the operator of the named agent'],
	'no-public-address': [
		'unverified',
		'the client address is unknown: the connection comes from a private network or a proxy of the site',
	],
	'no-method': ['unverified', 'the operator publishes no way to verify the agent'],
	'no-claim': ['unknown', 'the request names no agent: a browser, or a tool'],
	anonymous: ['unknown', 'the request has no User-Agent'],
} as const satisfies Record<string, readonly [Outcome, string]>;

export type IdentityReason = keyof typeof identityReasons;

export function outcomeOf(reason: IdentityReason): Outcome {
	return identityReasons[reason][0];
}
