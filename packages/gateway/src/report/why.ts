import { type IdentityReason, identityReasons } from '../identify/reasons.ts';
import type { Check, IdentityEvidence } from '../identify/types.ts';

const maxNames = 3;

/**
 * The evidence for an agent's identity, in one sentence for people: `66.249.66.1 is in 66.249.66.0/27 of https://…`.
 *
 * @param evidence JSON from the ledger; it may be truncated
 */
export function explainIdentity(evidence: string, address: string): string {
	let found: Partial<IdentityEvidence> | null;
	try {
		found = JSON.parse(evidence) as Partial<IdentityEvidence> | null;
	} catch {
		return '';
	}
	const { reason, checks } = found ?? {};
	if (reason === undefined || !Object.hasOwn(identityReasons, reason)) return '';
	const [, sentence] = identityReasons[reason];
	const detail = detailOf(reason, Array.isArray(checks) ? checks : [], address);
	return detail === undefined ? sentence : `${sentence}: ${detail}`;
}

function detailOf(reason: IdentityReason, checks: readonly Check[], address: string): string | undefined {
	const list = checks.find((check) => check.method === 'ranges');
	const dns = checks.find((check) => check.method === 'reverse-dns');
	switch (reason) {
		case 'listed':
		case 'undeclared':
			return list?.result === 'listed' ? `${address} is in ${list.prefix} of ${list.list}` : undefined;
		case 'not-listed':
		case 'not-listed-strict':
		case 'list-stale':
		case 'list-empty':
		case 'list-unavailable':
			return list && `${address}, ${list.list}`;
		case 'reverse-dns':
		case 'reverse-dns-mismatch':
		case 'no-forward':
			return dns !== undefined && dns.outcome !== 'pending' ? `${address} is ${namesOf(dns.names)}` : undefined;
		case 'no-ptr':
		case 'dns-failed':
		case 'dns-timeout':
		case 'no-public-address':
			return address;
		default:
			return undefined;
	}
}

function namesOf(names: readonly string[]): string {
	if (names.length === 0) return 'without a name';
	const more = names.length - maxNames;
	return names.slice(0, maxNames).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
