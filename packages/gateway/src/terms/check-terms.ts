import type { PermissionName } from '@wayleave/protocols/robots2';
import type { Config } from '../config/schema.ts';
import type { PathTerms } from './paths.ts';
import { type PublishProblem, publishProblem } from './problems.ts';

/** Settings of a policy file without the effect that they probably intend. */
export function checkTerms(config: Config, paths: PathTerms): PublishProblem[] {
	return [
		...checkNames(config, paths),
		...Object.keys(config.ask)
			.filter((directive) => !asked(config).has(directive as PermissionName))
			.map((directive) => publishProblem('publish-ask-unasked', { directive })),
		...(paths.everybody.some(({ allow, pattern }) => !allow && /^\/\*?$/.test(pattern)) &&
		!paths.everybody.some(({ allow }) => allow)
			? [publishProblem('publish-site-closed')]
			: []),
	];
}

/** Names that readers of robots.txt take otherwise, that no request carries, or whose paths are closed by their category. */
function checkNames({ paths: { agents = {} } }: Config, { named }: PathTerms): PublishProblem[] {
	const written = new Set(Object.keys(agents).map((name) => name.toLowerCase()));
	const cut = named.flatMap(({ agent, name = agent }) => {
		const token = /^[A-Za-z_-]*/.exec(agent)?.[0] ?? '';
		return token.length === name.length ? [] : [{ agent: name, token }];
	});
	const [own, listed] = [true, false].map((isOwn) =>
		cut.filter(({ agent }) => written.has(agent.toLowerCase()) === isOwn),
	);
	return [
		...(own ?? []).map((args) => publishProblem('publish-agent-name', args)),
		...(listed?.length
			? [
					publishProblem('publish-names-cut', {
						names: listed.map(({ agent, token }) => `${agent} (${token})`).join(', '),
					}),
				]
			: []),
		...named.flatMap(({ agent, name = agent, denied = [] }) =>
			denied.map(({ pattern }) => publishProblem('publish-category-wins', { agent: name, pattern })),
		),
	];
}

/** The directives that an agent should ask for. */
export function asked({ policy, categories }: Pick<Config, 'policy' | 'categories'>): Set<PermissionName> {
	const all = [policy, ...Object.values(categories)].flatMap((values) => Object.entries(values));
	return new Set(all.filter(([, value]) => value === 'ask').map(([name]) => name as PermissionName));
}
