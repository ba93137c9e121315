import { agentCategories } from '@wayleave/protocols/identity';
import type { Agent } from '@wayleave/protocols/policy';
import { LRUCache } from 'lru-cache';
import type { Edition } from './edition.ts';

/** Paths whose answer is kept, for each version of the policy. */
const maxKept = 10_000;
/** No site names so many agents that the first of them tell less than all. */
const maxAgents = 200;

/** Whether the SOM endpoint serves a page to at least one kind of client, so that its address may be announced. */
export type Offered = (path: string) => boolean;

/** @param offerDisallowed the endpoint serves what robots.txt disallows as HTML. */
export function offeredBy(edition: Edition, origin: string, offerDisallowed: boolean): Offered {
	const kept = new LRUCache<string, boolean>({ max: maxKept });
	let agents: readonly Agent[] | undefined;
	const isOffered = (url: string): boolean => {
		agents ??= kindsOf(edition);
		return agents.some((agent) => {
			const terms = edition.for(agent);
			return (['crawl', 'read'] as const).every((use) => {
				const verdict = offerDisallowed
					? terms.decide(use, url, { representation: 'som' })
					: terms.decideFetch(use, url);
				return verdict.permitted || verdict.effect === 'ask';
			});
		});
	};
	return (path) => {
		let found = kept.get(path);
		if (found === undefined) {
			found = isOffered(origin + path);
			kept.set(path, found);
		}
		return found;
	};
}

/** Clients that the policy can tell apart: one that it does not name, one of each category, and each that it names. */
function kindsOf({ policies }: Edition): Agent[] {
	const unnamed = { token: 'unnamed-agent' };
	const byCategory = agentCategories.map((category) => ({ ...unnamed, categories: [category] }));
	const groups = policies.robots !== undefined && 'file' in policies.robots ? policies.robots.file.groups : [];
	const names = new Set(groups.flatMap(({ agents }) => agents.map(({ name }) => name)));
	names.delete('*');
	return [unnamed, ...byCategory, ...[...names].slice(0, maxAgents).map((token) => ({ token }))];
}
