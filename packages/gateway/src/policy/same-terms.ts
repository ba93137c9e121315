import { agentCategories } from '@wayleave/protocols/identity';
import type { Agent, HostPolicies } from '@wayleave/protocols/policy';
import { prepareRobots } from '@wayleave/protocols/robots';

/** Categories that mean something even where no section names them. */
const meaningful: ReadonlySet<string> = new Set(agentCategories);

/** An agent as the files see it: what they do not mention is left out. */
export interface TermsKey {
	/** The same where every decision is the same. */
	readonly key: string;
	readonly agent: Agent;
}

/**
 * Makes a function that tells which agents are alike to these policies. Names and categories come from headers, as many
 * as a client invents, in any order: those that no group and no section mentions are all alike.
 */
export function termsKeyOf({ robots, robots2, operator }: HostPolicies): (agent: Agent) => TermsKey {
	const chain = robots2 !== undefined && 'files' in robots2 ? robots2.files : [];
	const files = chain.map(({ file }) => file.paths);
	if (robots !== undefined && 'file' in robots) files.push(robots.file);
	const sections = new Set(chain.flatMap(({ file }) => file.sections.flatMap(({ categories }) => categories)));
	// The operator's own rules have names and categories of their own.
	const all = operator !== undefined;
	const hasGroup = (name: string) => all || files.some((file) => prepareRobots(file, name).selected === 'specific');
	const hasSection = (name: string) => all || sections.has(name.toLowerCase());
	const isMentioned = (name: string) => hasGroup(name) || hasSection(name);
	return ({ token, name, otherNames = [], categories: stated = [] }) => {
		// An unknown category is not the same as none: who states none could be anything.
		const roles = stated.map((each) => {
			const role = each.toLowerCase();
			return meaningful.has(role) || hasSection(role) ? role : 'unknown';
		});
		const categories = [...new Set(roles)].sort();
		const known = name !== undefined && isMentioned(name);
		const others = otherNames.filter(isMentioned).sort();
		const key = `${hasGroup(token) ? token : ''}\n${known ? name : ''}\n${others.join()}\n${categories.join()}`;
		return {
			key,
			agent: { token, ...(known && { name }), ...(others.length > 0 && { otherNames: others }), categories },
		};
	};
}
