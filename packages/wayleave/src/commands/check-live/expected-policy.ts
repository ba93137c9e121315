import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, pageHeaders, policiesOf, type Signals, termsOf } from '@wayleave/gateway';
import type { HostPolicies, PageSignals } from '@wayleave/protocols/policy';

/** The policy that visitors should get. */
export interface ExpectedPolicy {
	readonly robots: string;
	/** Undefined: there is meant to be none. */
	readonly robots2: string | undefined;
	readonly verification: string | undefined;
	readonly signals: Signals;
	readonly policies: HostPolicies;
	/** Paths that rules are about. */
	readonly patterns: readonly string[];
	/** Product tokens that rules name. */
	readonly agents: readonly string[];
}

/** Facts about the site outside its policy file. */
export interface Site {
	/** The folder that was published: its robots.txt has the lines of the site itself. */
	readonly folder?: string | undefined;
	/** Whether a gateway answers in front of it. */
	readonly gateway: boolean;
	/** The robots.txt that is served. A gateway marks its own lines in it: the others are the site's. */
	readonly served?: Uint8Array | undefined;
}

/** The files and signals that a policy file should produce, merged with the site's own. */
export function expectedPolicyOf(config: Config, { folder, gateway, served }: Site): ExpectedPolicy {
	const own = folder === undefined ? gateway && served : readPublished(folder, 'robots.txt');
	const terms = termsOf(config, { ownRobots: own || '', somEndpoint: gateway || config.som?.announce === true });
	const { paths, signals, silent, robots, robots2, verification } = terms;
	const { robots2: _, ...files } = policiesOf(terms, 'the policy file: ');
	const rules = [paths.everybody, ...paths.named.map(({ rules: named }) => named)].flat();
	return {
		robots,
		robots2: silent ? undefined : robots2,
		verification,
		signals,
		policies: silent ? files : policiesOf(terms, 'the policy file: '),
		patterns: [...rules.map(({ pattern }) => pattern), ...paths.honeypots],
		agents: paths.named.map(({ agent }) => agent),
	};
}

/** The signals that the response of a page should have. */
export function expectedPage({ signals }: ExpectedPolicy, url: string): PageSignals {
	const { link: _, ...headers } = pageHeaders({ signals, manifest: true }, url);
	return { source: url, headers };
}

function readPublished(folder: string, name: string): Uint8Array | undefined {
	const path = join(folder, name);
	return existsSync(path) ? readFileSync(path) : undefined;
}
