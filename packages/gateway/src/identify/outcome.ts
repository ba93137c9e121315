import type { IdentityReason } from './reasons.ts';
import type { Check } from './types.ts';

/**
 * Result of one check of a claim.
 *
 * - `yes`, `no`: an authoritative source says so
 * - `pending`: the answer is on its way
 * - `unsure`: an authoritative source could not be reached
 * - `miss`: not in a list; lists lag behind, so this alone denies nothing
 * - `forged`: a signature in the name of an agent that did not make it
 * - `nothing`: for the record only
 */
type Word = 'yes' | 'no' | 'pending' | 'unsure' | 'miss' | 'forged' | 'nothing';

type Said = readonly [word: Word, reason: IdentityReason];

/** The order in which words settle a claim. */
const order: readonly Word[] = ['yes', 'pending', 'forged', 'unsure', 'no', 'miss', 'nothing'];

/**
 * Combines all checks. One yes verifies. A no counts only if every source that could say yes was asked and
 * answered: trouble with the DNS or a list is never taken for a lie.
 */
export function reasonFor(checks: readonly Check[], strictLists: boolean): IdentityReason {
	if (checks.some(({ method }) => method === 'token')) return 'signal-token';
	const said = checks.map(whatItSays);
	const first = order.flatMap((word) => said.filter(([each]) => each === word))[0];
	if (first === undefined) return 'no-method';
	return first[0] === 'miss' && strictLists ? 'not-listed-strict' : first[1];
}

function whatItSays(check: Check): Said {
	switch (check.method) {
		case 'token':
			return ['no', 'signal-token'];
		case 'ranges':
			return saidByList(check);
		case 'reverse-dns':
			return dns[check.outcome];
		case 'signature':
			return saidBySignature(check);
	}
}

function saidByList({ result, stale }: Extract<Check, { method: 'ranges' }>): Said {
	switch (result) {
		case 'listed':
			return ['yes', 'listed'];
		case 'not-listed':
			return stale ? ['unsure', 'list-stale'] : ['miss', 'not-listed'];
		case 'empty':
			return ['unsure', 'list-empty'];
		case 'unavailable':
			return ['unsure', 'list-unavailable'];
	}
}

const dns = {
	confirmed: ['yes', 'reverse-dns'],
	mismatch: ['no', 'reverse-dns-mismatch'],
	'no-ptr': ['no', 'no-ptr'],
	'no-forward': ['unsure', 'no-forward'],
	'dns-failed': ['unsure', 'dns-failed'],
	timeout: ['unsure', 'dns-timeout'],
	pending: ['pending', 'pending'],
} as const satisfies Record<Extract<Check, { method: 'reverse-dns' }>['outcome'], Said>;

/** An invalid signature is no excuse: an impostor could add one. */
function saidBySignature(check: Extract<Check, { method: 'signature' }>): Said {
	switch (check.outcome) {
		case 'valid':
			return check.related === false ? ['nothing', 'signer-unrelated'] : ['yes', 'signature'];
		case 'pending':
			return ['pending', 'pending'];
		case 'unverifiable':
			return ['nothing', 'signature-unverifiable'];
		case 'invalid':
			if (check.reason === 'wrong-signature') return ['forged', 'signature-forged'];
			return check.reason === 'replayed' ? ['forged', 'signature-replayed'] : ['nothing', 'signature-invalid'];
	}
}
