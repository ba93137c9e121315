import type { EffectivePolicy } from '../robots2/index.ts';
import { isMissing, type PathFile, sayPath } from './path-files.ts';
import { barByRate, barCompetitor } from './robots2-voice.ts';
import type { Agent, HostPolicies, Statement } from './types.ts';

/** What the files say about fetching a URL at all. `asSom`: as a representation from a declared SOM endpoint. */
export type Access = (url: string, asSom: boolean) => Statement[];

/** Each file has to permit by itself (AMB-01). */
export function prepareAccess(
	policies: HostPolicies,
	agent: Agent,
	effective: EffectivePolicy,
	files: readonly PathFile[],
): Access {
	const everywhere = [
		...sayMissing(policies, 'robots'),
		...sayMissing(policies, 'robots2'),
		...barByRate(effective),
		...barCompetitor(effective, agent),
	];
	return (url, asSom) => {
		const paths = files.flatMap((file) => sayPath(file, url));
		return [...(asSom ? paths.map(liftDisallow) : paths), ...everywhere];
	};
}

/** A site without a file says nothing; one whose file cannot be had may say no (RFC 9309 §2.3.1.4, AMB-46). */
function sayMissing(policies: HostPolicies, mechanism: 'robots' | 'robots2'): Statement[] {
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
 * binds every representation (AMB-04, AMB-05).
 */
function liftDisallow(statement: Statement): Statement {
	const { effect, evidence } = statement;
	return evidence.mechanism === 'robots' && effect === 'deny' ? { ...statement, effect: 'silent' } : statement;
}
