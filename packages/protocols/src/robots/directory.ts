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
export type Directory = Map<string, Selection>;

class Itself {
	constructor(file: RobotsFile) {
		// biome-ignore lint/correctness/noConstructorReturn: the subclass adds its private fields to the file
		return file;
	}
}

/**
 * Keeps the directory of a file in private fields of the file. The collector spends more on an entry of a WeakMap than a
 * small file costs to read. Names are added when one with the same first letter is first asked for: most files are asked
 * for one agent only. So the directory grows with the names in the file, not with those asked for.
 */
export class Keeper extends Itself {
	readonly #directory: Directory = new Map();
	/** The initials that it has, a bit for each. */
	#initials = 0;

	/** The directory, with all names that begin like the one of a key. */
	static directoryFor(file: RobotsFile, key: string): Directory {
		const keeper = #directory in file ? file : new Keeper(file);
		const missing = (initialOf(key, 1) | 1) & ~keeper.#initials;
		if (missing !== 0) addNames(keeper.#directory, file, missing);
		keeper.#initials |= missing;
		return keeper.#directory;
	}
}

/** One bit for each letter in either case, the lowest for all that begins otherwise, such as `*`. */
function initialOf(text: string, at: number): number {
	const letter = (text.charCodeAt(at) | 32) - 96;
	return letter > 0 && letter < 27 ? 1 << letter : 1;
}

function addNames(directory: Directory, { groups: all, mode }: RobotsFile, initials: number): void {
	for (const group of all) {
		for (const agent of group.agents) {
			if ((initialOf(agent.name, 0) & initials) === 0) continue;
			for (const key of agentKeys(agent.name, readings[mode])) {
				const selection = selectionOf(directory, key);
				selection.agents.push(agent);
				if (selection.groups.at(-1) !== group) selection.groups.push(group);
			}
		}
	}
}

/** The selection of a key, which is added where it is missing. */
export function selectionOf(directory: Directory, key: string): Selection {
	const selection = directory.get(key) ?? { agents: [], groups: [] };
	directory.set(key, selection);
	return selection;
}
