import { knownAgents } from '@wayleave/protocols/identity';
import type { Access, DescribedAgent, Place, SubjectKind } from './data.ts';

/** Access of one agent, category or operator by the policy file. */
export interface AccessState {
	/** Undefined: its agents have different ones. */
	readonly access: Access | undefined;
	/** Where that is not plain from the switch. */
	readonly note?: string;
}

/** The access of an agent, category or operator by the values of a policy file. */
export function accessOf(
	kind: SubjectKind,
	name: string,
	places: readonly Place[],
	described: readonly DescribedAgent[],
): AccessState {
	if (kind === 'category') return categoryAccess(name, places);
	if (kind === 'agent') return agentAccess(name, places, described);
	const each = agentsOf(name, described).map((agent) => agentAccess(agent, places, described));
	const [first] = each;
	if (first !== undefined && each.every(({ access }) => access === first.access)) return { access: first.access };
	return { access: undefined, note: 'its agents differ' };
}

/** The names of the known agents of an operator. */
export function agentsOf(operator: string, described: readonly DescribedAgent[]): string[] {
	const own = [...described, ...knownAgents].filter(
		(agent) => agent.operator?.toLowerCase() === operator.toLowerCase(),
	);
	return [...new Set(own.map(({ token, name }) => name ?? token))];
}

function agentAccess(name: string, places: readonly Place[], described: readonly DescribedAgent[]): AccessState {
	const own = rulesOf(name, places);
	const category = [...described, ...knownAgents].find(
		(agent) => (agent.name ?? agent.token).toLowerCase() === name.toLowerCase(),
	)?.category;
	if (category !== undefined && categoryAccess(category, places).access === 'block')
		return { access: 'block', note: `by its category, ${category}` };
	const isWholeSite = own.some(({ list, value }) => list === 'disallow' && value === '/');
	const opened = own.filter(({ list }) => list === 'allow').map(({ value }) => value);
	if (isWholeSite && opened.length === 0) return { access: 'block' };
	if (own.length === 0) return { access: 'allow' };
	if (isWholeSite)
		return { access: 'limit', note: `only ${opened.slice(0, 3).join(', ')}${opened.length > 3 ? ' …' : ''}` };
	return { access: 'limit', note: 'by rules of its own' };
}

function rulesOf(name: string, places: readonly Place[]): { list: string; value: string }[] {
	return places.flatMap(({ path, value }) => {
		const [first, second, agent, list] = path;
		const isOwn = first === 'paths' && second === 'agents' && String(agent).toLowerCase() === name.toLowerCase();
		return isOwn && typeof list === 'string' ? [{ list, value }] : [];
	});
}

function categoryAccess(name: string, places: readonly Place[]): AccessState {
	const value = (directive: string) => {
		const at = (path: readonly string[]) =>
			places.find(
				(place) => place.path.length === path.length && path.every((step, index) => place.path[index] === step),
			)?.value;
		return plain(at(['categories', name, directive]) ?? at(['policy', directive]));
	};
	const own = (directive: string) =>
		places.some(({ path }) => path[0] === 'categories' && path[1] === name && path[2] === directive);
	const onlyLooks = name === 'search-indexer' || name === 'monitoring';
	if (value('crawl') === 'no' || (!onlyLooks && value('read') === 'no')) return { access: 'block' };
	const isLimited = ['train', 'store', 'derivative'].some(own);
	return { access: isLimited ? 'limit' : 'allow' };
}

const plain = (value: string | undefined): string | undefined =>
	value === 'true' ? 'yes' : value === 'false' ? 'no' : value;
