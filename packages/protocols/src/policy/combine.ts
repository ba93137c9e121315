import type { Evidence } from '../evidence.ts';
import type { Limits, Obligations, Statement, Use, Verdict } from './types.ts';

/** What was found for one question. */
export interface Hearing {
	readonly use: Use;
	/** What forbids, or leaves open, the access that this use needs. */
	readonly gates: readonly Statement[];
	/** What speaks about the use itself. */
	readonly statements: readonly Statement[];
	readonly obligations: Obligations;
	/** Present where silence means no (AMB-41): the file that is silent. */
	readonly silence?: Evidence;
}

/** The most restrictive statement wins; silence is reported as unspecified, never as a permission. */
export function combine({ use, gates, statements, obligations, silence }: Hearing): Verdict {
	const all = [...gates, ...statements];
	const strongest = (['deny', 'ask', 'allow'] as const).find((effect) => all.some((each) => each.effect === effect));
	// Access is decided first: where it is denied, what is said about the use makes no difference.
	const barred = gates.some(({ effect }) => effect === 'deny');
	const deciding = (barred ? gates : all).filter(({ effect }) => effect === strongest);
	const limits = strongest === 'deny' || strongest === 'ask' ? undefined : limitsOf(all);
	const because = deciding.map(({ evidence }) => evidence);
	return {
		effect: strongest === 'allow' && limits ? 'limited' : (strongest ?? 'unspecified'),
		use,
		permitted: strongest ? strongest === 'allow' : silence === undefined,
		...(strongest === 'ask' && { ask: [...new Set(deciding.flatMap(({ directive }) => directive ?? []))] }),
		...(limits && { limits }),
		obligations,
		because: strongest ? because : silence ? [silence] : [],
		also: all.filter((statement) => !deciding.includes(statement)).map(({ evidence }) => evidence),
		contradicts: contradictions(statements),
	};
}

function limitsOf(statements: readonly Statement[]): Limits | undefined {
	const limits: Limits = Object.assign({}, ...statements.map((each) => each.limits));
	return Object.keys(limits).length > 0 ? limits : undefined;
}

/** The pairs of a line that forbids and a line that allows, in two vocabularies or two places. */
function contradictions(statements: readonly Statement[]): Evidence[][] {
	const denying = statements.filter(({ effect }) => effect === 'deny');
	const allowing = statements.filter(({ effect }) => effect === 'allow');
	return denying.flatMap((deny) =>
		allowing.filter((allow) => contradict(deny, allow)).map((allow) => [deny.evidence, allow.evidence]),
	);
}

/**
 * An answer carries a directive out, and the operator may be stricter than the site: neither contradicts it.
 * A rule of access is only contradicted by one that is at least as specific: `Allow: /` says nothing against
 * `Disallow: /admin`.
 */
function contradict(deny: Statement, allow: Statement): boolean {
	const [a, b] = [deny.evidence, allow.evidence];
	if (a.mechanism === b.mechanism && a.source === b.source) return false;
	if ([a, b].some(({ mechanism }) => mechanism === 'ask' || mechanism === 'operator')) return false;
	if (!deny.access && !allow.access) return true;
	const [forbidden, permitted] = [deny.access?.pattern, allow.access?.pattern];
	return forbidden !== undefined && permitted !== undefined && permitted.length >= forbidden.length;
}
