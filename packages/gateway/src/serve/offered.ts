import { agentCategories } from '@wayleave/protocols/identity';
import type { Agent } from '@wayleave/protocols/policy';
import { LRUCache } from 'lru-cache';
import { decideReadings } from './decide.ts';
import type { Edition } from './edition.ts';
import type { Target } from './target.ts';

/** Results that are kept by the readings of a target, for each version of the policy. */
const maxKept = 10_000;
/** No site names so many agents that the first of them tell less than all. */
const maxAgents = 200;

/** Whether the SOM endpoint serves a page to at least one kind of client, so that its address may be announced. */
export type Offered = (target: Target) => boolean;

/** @param offerDisallowed the endpoint serves what robots.txt disallows as HTML. */
export function offeredBy(edition: Edition, origin: string, offerDisallowed: boolean): Offered {
	const kept = new LRUCache<string, boolean>({ max: maxKept });
	let agents: readonly Agent[] | undefined;
	const isOffered = (target: Target): boolean => {
		agents ??= kindsOf(edition);
		return agents.some((agent) =>
			(['crawl', 'read'] as const).every((use) => {
				const verdict = decideReadings(target, edition, agent, (terms, path) => {
					const found = offerDisallowed
						? terms.decide(use, origin + path, { representation: 'som' })
						: terms.decideFetch(use, origin + path);
					// What has to be asked for first is offered too.
					return found.effect === 'ask' ? { ...found, permitted: true } : found;
				});
				return verdict?.permitted === true;
			}),
		);
	};
	return (target) => {
		const { readings, ignoreCase } = target;
		// A plain target is its only reading: most need no key of their own.
		const key = readings.length === 1 && !ignoreCase ? (readings[0] ?? '') : `${ignoreCase} ${readings.join(' ')}`;
		let found = kept.get(key);
		if (found === undefined) {
			found = isOffered(target);
			kept.set(key, found);
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
