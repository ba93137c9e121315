import { agentKeys } from './agents.ts';
import { readings } from './modes.ts';
import type { PreparedRobots, RobotsAgent, RobotsFile, RobotsGroup } from './types.ts';

/** The agent lines of one name, and the groups that they stand in. */
export interface Selection {
	readonly agents: RobotsAgent[];
	readonly groups: RobotsGroup[];
	prepared?: PreparedRobots;
}

/** By the keys of the agent lines; the empty key selects nothing. */
export interface Directory extends Map<string, Selection> {
	/** The empty key is always there. */
	get(key: ''): Selection;
	get(key: string): Selection | undefined;
}

class Itself {
	constructor(file: RobotsFile) {
		// biome-ignore lint/correctness/noConstructorReturn: the subclass adds its private field to the file
		return file;
	}
}

/**
 * Keeps the directory of a file in a private field of the file, made when first asked. The collector spends more on an
 * entry of a WeakMap than a small file costs to read. It grows with the names in the file, not with those asked for.
 */
export class Keeper extends Itself {
	readonly #directory = makeDirectory(this as object as RobotsFile);

	static directoryOf(file: RobotsFile): Directory {
		return (#directory in file ? file : new Keeper(file)).#directory;
	}
}

function makeDirectory({ groups: all, mode }: RobotsFile): Directory {
	const directory = new Map([['', { agents: [], groups: [] }]]) as Directory;
	for (const group of all) {
		for (const agent of group.agents) {
			for (const key of agentKeys(agent.name, readings[mode])) {
				const selection = directory.get(key) ?? { agents: [], groups: [] };
				directory.set(key, selection);
				selection.agents.push(agent);
				if (selection.groups.at(-1) !== group) selection.groups.push(group);
			}
		}
	}
	return directory;
}
