import type { HostPolicies } from '../policy/types.ts';
import type { RobotsFile, RobotsGroup, RobotsRule } from '../robots/types.ts';
import { foldAddress } from './readings.ts';

/**
 * The policies of a host with the patterns of their rules folded, for addresses that `foldAddress` has folded. Where an
 * Allow and a Disallow become the same pattern, the Disallow stands. Undefined where folding changes no pattern.
 */
export function foldPolicies(policies: HostPolicies, ignoreCase: boolean): HostPolicies | undefined {
	const { robots, robots2 } = policies;
	let changed = false;
	const foldFile = (file: RobotsFile): RobotsFile => {
		const groups = file.groups.map((group) => foldGroup(group, ignoreCase));
		if (groups.every((group, at) => group === file.groups[at])) return file;
		changed = true;
		return { ...file, groups };
	};
	const folded: HostPolicies = {
		...policies,
		...(robots !== undefined && 'file' in robots && { robots: { ...robots, file: foldFile(robots.file) } }),
		...(robots2 !== undefined &&
			'files' in robots2 && {
				robots2: {
					...robots2,
					files: robots2.files.map((each) => ({ ...each, file: { ...each.file, paths: foldFile(each.file.paths) } })),
				},
			}),
	};
	return changed ? folded : undefined;
}

function foldGroup(group: RobotsGroup, ignoreCase: boolean): RobotsGroup {
	const rules = group.rules.map((rule): RobotsRule => {
		const pattern = foldAddress(rule.pattern, ignoreCase);
		return pattern === rule.pattern ? rule : { ...rule, pattern };
	});
	if (rules.every((rule, at) => rule === group.rules[at])) return group;
	const forbidden = new Set(rules.filter(({ allow }) => !allow).map(({ pattern }) => pattern));
	return { ...group, rules: rules.filter(({ allow, pattern }) => !allow || !forbidden.has(pattern)) };
}
