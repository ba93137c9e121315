import type { HostPolicies, PolicyProblem } from '@wayleave/protocols/policy';
import { parseRobots } from '@wayleave/protocols/robots';
import { parseRobots2 } from '@wayleave/protocols/robots2';
import { checkSom, type SomProblem } from '@wayleave/protocols/som';
import type { Config } from '../config/schema.ts';
import { checkAskNames, checkRobotsNames } from './check-names.ts';
import { checkTerms } from './check-terms.ts';
import { mergeRobots } from './merge-robots.ts';
import { readOwnRobots } from './own-robots.ts';
import { type PathTerms, pathTerms } from './paths.ts';
import type { PublishProblem } from './problems.ts';
import { formatRobots2Terms, isSilent } from './robots2.ts';
import { type Signals, signalsOf } from './signals.ts';
import { somRecords, somSettings } from './som-terms.ts';

/** A policy file in all vocabularies. */
export interface Terms {
	readonly paths: PathTerms;
	readonly signals: Signals;
	/** The text of `/robots.txt`. */
	readonly robots: string;
	/** The text of `/robots2.txt`. */
	readonly robots2: string;
	/** The policy file says nothing: a robots2.txt without a word would still turn silence into no. */
	readonly silent: boolean;
	/** The text of `/.well-known/aiwebindex-verify.txt`, where a token is configured. */
	readonly verification?: string;
	readonly problems: readonly (PublishProblem | PolicyProblem | SomProblem)[];
}

export interface TermsOptions {
	/** The robots.txt of the site itself, which ours is written into. */
	readonly ownRobots?: string | Uint8Array;
	/** Whether the SOM endpoint of the policy file is announced: it must be there. Default true. */
	readonly somEndpoint?: boolean;
}

/**
 * Says a policy file in every vocabulary that agents read. Pure: the same config and robots.txt give the same texts.
 *
 * ```ts
 * const { robots, robots2 } = termsOf(parseConfig('origin: https://example.com\npolicy: { train: no }'));
 * ```
 */
export function termsOf(config: Config, { ownRobots = '', somEndpoint = true }: TermsOptions = {}): Terms {
	const paths = pathTerms(config);
	const signals = signalsOf(config);
	const { records, crawlDelay } = signals;
	const { text: robots, problems } = mergeRobots(ownRobots, {
		paths,
		records,
		head: somRecords(somEndpoint ? somSettings(config) : undefined, config.publish.somInRobots),
		...(crawlDelay !== undefined && { crawlDelay }),
	});
	const robots2 = formatRobots2Terms(config, paths);
	return {
		paths,
		signals,
		robots,
		robots2,
		silent: isSilent(config),
		...(config.verification !== undefined && { verification: `aiwi-verify=${config.verification}\n` }),
		problems: [
			...checkTerms(config, paths),
			...signals.problems,
			...checkAskNames(config),
			...checkRobotsNames(readOwnRobots(ownRobots).lines.join('\n')),
			...problems,
			...somProblemsOf(robots),
		],
	};
}

function somProblemsOf(robots: string): readonly SomProblem[] {
	return checkSom(parseRobots(robots).value.records);
}

/** The published texts as agents read them: what to judge requests by, and nothing else. */
export function policiesOf({ robots, robots2, signals }: Terms, origin: string): HostPolicies {
	const file = (path: string) => `${origin}${path}`;
	return {
		robots: { source: file('/robots.txt'), file: parseRobots(robots).value },
		robots2: { files: [{ source: file('/robots2.txt'), file: parseRobots2(robots2).value }] },
		files: Object.fromEntries(
			signals.files.map(({ vocabulary: { name, file: definition }, text }) => [
				name,
				{ source: file(definition.path), value: definition.parse(text).value },
			]),
		),
	};
}
