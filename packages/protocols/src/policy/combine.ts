import type { Evidence } from '../evidence.ts';
import { shortened, verdictLimits } from './fold.ts';
import type { Limits, Obligations, Statement, Use, Verdict } from './types.ts';

/** Statements found for one question. */
export interface Hearing {
	readonly use: Use;
	/** Statements about the access that this use needs. */
	readonly gates: readonly Statement[];
	/** Statements about the use itself. */
	readonly statements: readonly Statement[];
	readonly obligations: Obligations;
	/** Present where silence means no: the file that is silent. */
	readonly silence?: Evidence;
}

/** The most restrictive statement wins; silence is reported as unspecified, never as a permission. */
export function combine({ use, gates, statements, obligations, silence }: Hearing): Verdict {
	const all = [...gates, ...statements];
	const strongest = (['deny', 'ask', 'allow'] as const).find((effect) => all.some((each) => each.effect === effect));
	// Access is decided first: where it is denied, what is said about the use makes no difference.
	const barred = gates.some(({ effect }) => effect === 'deny');
	const deciding = (barred ? gates : all).filter(({ effect }) => effect === strongest);
	const others = all.filter(({ effect }, index) => effect !== strongest || (barred && index >= gates.length));
	const limits = strongest === 'deny' || strongest === 'ask' ? undefined : limitsOf(all);
	const pairs = contradictions(statements);
	const omitted = [deciding, others, pairs].reduce(
		(sum, { length }) => sum + Math.max(0, length - verdictLimits.lines),
		0,
	);
	return {
		effect: strongest === 'allow' && limits ? 'limited' : (strongest ?? 'unspecified'),
		use,
		permitted: strongest ? strongest === 'allow' : silence === undefined,
		...(strongest === 'ask' && { ask: [...new Set(deciding.flatMap(({ directive }) => directive ?? []))] }),
		...(limits && { limits }),
		obligations,
		because: strongest ? carried(deciding) : silence ? [silence] : [],
		also: carried(others),
		contradicts: pairs.slice(0, verdictLimits.lines),
		...(omitted > 0 && { omitted }),
	};
}

const strictness = { deny: 0, ask: 1, allow: 2, silent: 3 } as const;

/** The lines of statements, at most as many as a verdict carries. */
function carried(statements: readonly Statement[]): Evidence[] {
	const few =
		statements.length <= verdictLimits.lines
			? statements
			: [...statements].sort((a, b) => strictness[a.effect] - strictness[b.effect]).slice(0, verdictLimits.lines);
	return few.map(({ evidence }) => shortened(evidence));
}

function limitsOf(statements: readonly Statement[]): Limits | undefined {
	const limits: Limits = {};
	for (const each of statements) Object.assign(limits, each.limits);
	return Object.keys(limits).length > 0 ? limits : undefined;
}

/**
 * One line that forbids and one that allows for each two places that disagree. The first line of either kind represents
 * its place, so that the work is linear in the statements and quadratic only in the few places.
 */
function contradictions(statements: readonly Statement[]): Evidence[][] {
	const denials = statements.filter(({ effect }) => effect === 'deny');
	const allowances = denials.length === 0 ? [] : statements.filter(({ effect }) => effect === 'allow');
	if (allowances.length === 0) return [];
	const [denying, allowing] = [firstOfPlaces(denials), firstOfPlaces(allowances)];
	return denying.flatMap((deny) =>
		allowing
			.filter((allow) => contradict(deny, allow))
			.map((allow) => [shortened(deny.evidence), shortened(allow.evidence)]),
	);
}

function firstOfPlaces(statements: readonly Statement[]): Statement[] {
	const places = new Map<string, Statement>();
	for (const statement of statements) {
		const { evidence, access } = statement;
		const place = `${evidence.mechanism} ${evidence.source} ${access === undefined ? '' : access.pattern?.length}`;
		if (!places.has(place)) places.set(place, statement);
	}
	return [...places.values()];
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
