import type { Evidence } from '../evidence.ts';
import { groupRecordKeys, type HostPolicies, preparePolicies, uses } from '../policy/index.ts';
import type { RobotsFile } from '../robots/index.ts';
import type { Robots2File } from '../robots2/index.ts';
import type { LintProblem } from './problems.ts';

export interface PolicyFile<File> {
	readonly source: string;
	readonly file: File;
}

/**
 * Finds vocabularies of a site that contradict each other on one use of its front page. The problems are in the file
 * `here`; those that lie in other files altogether are left to them.
 */
export function compareVocabularies(
	here: string,
	robots: PolicyFile<RobotsFile> | undefined,
	robots2: PolicyFile<Robots2File> | undefined,
): LintProblem[] {
	const policies: HostPolicies = { ...(robots && { robots }), ...(robots2 && { robots2: { files: [robots2] } }) };
	const found = new Map<string, LintProblem>();
	for (const agent of agentsOf(robots?.file, robots2?.file)) {
		const prepared = preparePolicies(policies, agent);
		for (const use of uses) {
			for (const [forbids, allows] of prepared.decide(use, 'https://site.invalid/').contradicts) {
				if (forbids === undefined || allows === undefined) continue;
				const problem = describe(here, use, forbids, allows);
				if (problem !== undefined) found.set(`${use} ${place(forbids)} ${place(allows)}`, problem);
			}
		}
	}
	return [...found.values()];
}

/** Per kind: each costs a pass over the file, and a file may name thousands. */
const comparedAgents = 50;

/**
 * Everybody, one agent of each list that a usage record speaks to, each category that robots2.txt has a section for.
 * Agents that have nothing but paths of their own cannot be told two things.
 */
function agentsOf(robots: RobotsFile | undefined, robots2: Robots2File | undefined) {
	const usage = (robots?.records ?? []).filter(({ key }) => groupRecordKeys.includes(key.toLowerCase()));
	const tokens = new Set(['*', ...usage.flatMap(({ agents }) => agents.slice(0, 1).map(({ name }) => name))]);
	const categories = new Set((robots2?.sections ?? []).flatMap((section) => section.categories));
	return [
		...[...tokens].slice(0, comparedAgents).map((token) => ({ token })),
		...[...categories].slice(0, comparedAgents).map((category) => ({ token: '*', categories: [category] })),
	];
}

function describe(here: string, use: string, forbids: Evidence, allows: Evidence): LintProblem | undefined {
	const isHere = [forbids.source === here, allows.source === here];
	if (!isHere[0] && !isHere[1]) return undefined;
	// Within one file the later line is the surprising one.
	const atForbidding = isHere[0] && (!isHere[1] || forbids.line > allows.line);
	const [mine, other] = atForbidding ? [forbids, allows] : [allows, forbids];
	const [says, contrary] = atForbidding ? ['forbids it', 'allows it'] : ['allows it', 'forbids it'];
	const args = { use, says, contrary, source: other.source, line: other.line, text: other.text.trim().slice(0, 80) };
	return { code: 'lint-vocabularies-disagree', severity: 'warning', line: mine.line, column: mine.column ?? 1, args };
}

function place({ source, line }: Evidence): string {
	return `${source}:${line}`;
}
