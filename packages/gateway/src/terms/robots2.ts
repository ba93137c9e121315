import { formatRobots2, type PathGroup } from '@wayleave/protocols/robots2';
import type { Config } from '../config/schema.ts';
import type { PathTerms } from './paths.ts';

/** The first line of the policy files that we write as a whole, where they can hold a comment. */
export const ownership = '# Published by Wayleave from the policy file of this site: changes here are lost.';

/** Whether a policy file has nothing to say in robots2.txt. */
export function isSilent(config: Config): boolean {
	const { paths, policy, quality = {}, categories, rate, reportTo, honeypots, meta = {}, chain } = config;
	const said = [paths, policy, quality, categories, { rate: rate.default }, reportTo, honeypots, meta, { chain }];
	return said.every((part) => Object.values(part).every((value) => value === undefined));
}

/** The robots2.txt of a policy file: all of it, since this is the vocabulary it is written in. */
export function formatRobots2Terms(config: Config, paths: PathTerms): string {
	const { policy, quality, categories, rate, reportTo, meta, chain } = config;
	const groups = config.som?.offerDisallowed ? trapsOnly(paths) : allPaths(paths);
	const sections = Object.entries(categories).filter(([, values]) => Object.keys(values).length > 0);
	const text = formatRobots2({
		meta: { 'spec-version': '2.0', ...meta },
		paths: groups,
		policy: {
			...policy,
			...(policy.rate === undefined && rate.default !== undefined && { rate: String(rate.default) }),
		},
		...(quality && { quality }),
		reportTo,
		sections: sections.map(([category, values]) => ({ category, policy: values })),
		...(chain && { chain }),
	});
	return `${ownership}\n${text}`;
}

function allPaths({ everybody, named }: PathTerms): PathGroup[] {
	return [
		...(everybody.length === 0 ? [] : [{ agents: ['*'], rules: everybody }]),
		...named.map(({ agent, rules }) => ({ agents: [agent], rules })),
	];
}

/**
 * Pages withheld as HTML but offered as SOM are only in robots.txt: a Disallow here would apply to the
 * representation too.
 */
function trapsOnly({ honeypots }: PathTerms): PathGroup[] {
	const rules = honeypots.map((pattern) => ({ allow: false, pattern }));
	return rules.length === 0 ? [] : [{ agents: ['*'], rules }];
}
