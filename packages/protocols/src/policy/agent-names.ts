import type { Agent } from './types.ts';

/** All names of an agent, each once: the first stands in for all, and each further one counts where a group has it. */
export function namesOfAgent({ token, name, otherNames = [] }: Agent): readonly string[] {
	return [...new Set([token, ...(name === undefined ? [] : [name]), ...otherNames])];
}
