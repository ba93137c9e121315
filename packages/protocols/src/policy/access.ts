import type { EffectivePolicy } from '../robots2/index.ts';
import { isMissing, type PathFile, statementsFromPaths } from './path-files.ts';
import { barByRate, barCompetitor } from './robots2-statements.ts';
import type { Agent, HostPolicies, Statement } from './types.ts';

/** The statements of the files about fetching a URL at all. `asSom`: as a representation from a declared SOM endpoint. */
export type Access = (url: string, asSom: boolean) => Statement[];

/** Each file has to permit by itself. */
export function prepareAccess(
	policies: HostPolicies,
	agent: Agent,
	effective: EffectivePolicy,
	files: readonly PathFile[],
): Access {
	const everywhere = [
		...statementsFromMissing(policies, 'robots'),
		...statementsFromMissing(policies, 'robots2'),
		...barByRate(effective),
		...barCompetitor(effective, agent),
	];
	return (url, asSom) => {
		const paths = files.flatMap((file) => statementsFromPaths(file, url));
		return [...(asSom ? paths.map(liftDisallow) : paths), ...everywhere];
	};
}

/** A site without a file says nothing; one whose file cannot be had may say no (RFC 9309 §2.3.1.4). */
function statementsFromMissing(policies: HostPolicies, mechanism: 'robots' | 'robots2'): Statement[] {
	const file = policies[mechanism];
	if (!file || !isMissing(file)) return [];
	const { source, state, detail } = file;
	const text = detail === undefined ? state : `${state} (${detail})`;
	return [
		{
			effect: state === 'unreachable' ? 'deny' : 'silent',
			evidence: { source, line: 0, text, mechanism, requirement: missingRows[mechanism][state] },
			access: {},
		},
	];
}

const missingRows = {
	robots: { none: 'REP-19', unreachable: 'REP-20' },
	robots2: { none: 'R2-06', unreachable: 'R2-02' },
} as const;

/**
 * The endpoint that a robots.txt declares may serve what the rules of the same file withhold as HTML; robots2.txt
 * binds every representation.
 */
function liftDisallow(statement: Statement): Statement {
	const { effect, evidence } = statement;
	return evidence.mechanism === 'robots' && effect === 'deny' ? { ...statement, effect: 'silent' } : statement;
}
