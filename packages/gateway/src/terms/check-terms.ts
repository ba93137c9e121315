import type { PermissionName } from '@wayleave/protocols/robots2';
import type { Config } from '../config/schema.ts';
import { agentKey } from './own-robots.ts';
import type { PathTerms } from './paths.ts';
import { type PublishProblem, publishProblem } from './problems.ts';
import type { Signals } from './signals.ts';

/** What in a policy file will not come about as it is probably meant. */
export function checkTerms(config: Config, paths: PathTerms, signals: Signals): PublishProblem[] {
	return [
		...paths.named.flatMap(({ agent }) => {
			const token = /^[A-Za-z_-]*/.exec(agent)![0];
			return token === agentKey(agent) || token.length === agent.length
				? []
				: [publishProblem('publish-agent-name', { agent, token })];
		}),
		...Object.keys(config.ask)
			.filter((directive) => !asked(config).has(directive as PermissionName))
			.map((directive) => publishProblem('publish-ask-unasked', { directive })),
		...(paths.everybody.some(({ allow, pattern }) => !allow && /^\/\*?$/.test(pattern)) &&
		!paths.everybody.some(({ allow }) => allow)
			? [publishProblem('publish-site-closed')]
			: []),
		...(config.publish.tdmrep && config.policy.train === 'no' && signals.tdmReservation === undefined
			? [publishProblem('publish-tdm-silent', { store: config.policy.store ?? 'not stated' })]
			: []),
	];
}

/** The directives that somebody is told to ask for. */
export function asked({ policy, categories }: Pick<Config, 'policy' | 'categories'>): Set<PermissionName> {
	const all = [policy, ...Object.values(categories)].flatMap((values) => Object.entries(values));
	return new Set(all.filter(([, value]) => value === 'ask').map(([name]) => name as PermissionName));
}
