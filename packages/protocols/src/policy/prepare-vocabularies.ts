import type { PathFile } from './path-files.ts';
import type { Agent, HostPolicies, PageSignals, Statement, Use } from './types.ts';
import { prepareUsageTokens } from './usage-tokens.ts';
import { vocabularies } from './vocabularies/index.ts';

/** Statements of the vocabularies beside robots2.txt about a use: first those of files, then those of the response. */
export type Vocabularies = (use: Use, url: string, page: PageSignals | undefined) => Statement[];

/** Lets each vocabulary read the files of a host once, when the first question is asked. */
export function prepareVocabularies(policies: HostPolicies, agent: Agent, robots: readonly PathFile[]): Vocabularies {
	let prepared: ReturnType<typeof readFiles> | undefined;
	return (use, url, page) => {
		prepared ??= readFiles(policies, agent, robots);
		const found: Statement[] = [];
		for (const site of prepared.sites) for (const each of site(use, url, page)) found.push(each);
		for (const each of prepared.byToken(use, url)) found.push(each);
		if (page) for (const response of prepared.responses) for (const each of response(use, page)) found.push(each);
		return found;
	};
}

function readFiles({ files }: HostPolicies, agent: Agent, robots: readonly PathFile[]) {
	const prepared = vocabularies.map((vocabulary) =>
		vocabulary.prepare({ agent, robots, file: files?.[vocabulary.name] }),
	);
	return {
		sites: prepared.flatMap(({ site }) => site ?? []),
		responses: prepared.flatMap(({ response }) => response ?? []),
		byToken: prepareUsageTokens(agent, robots),
	};
}
