import { present, type Severity } from '@wayleave/protocols';
import type { KnownAgent } from '@wayleave/protocols/identity';
import type { FormatName } from '@wayleave/protocols/lint/format-names';
import { fileVocabularies } from '@wayleave/protocols/policy';
import type { Config } from '../config/schema.ts';
import { checkPolicyFile } from '../lint/policy-file.ts';
import { explain } from '../lint/problems.ts';
import { type OwnFiles, publishTerms } from '../policy/published-files.ts';
import { pageHeaders, pageTags } from '../terms/page-terms.ts';
import { somSettings } from '../terms/som-terms.ts';
import { type Place, placesOf } from './places.ts';

/** Something in a policy file that is wrong, or without the effect that it probably intends. Places count from 1. */
export interface PolicyProblem {
	readonly code: string;
	readonly severity: Severity;
	readonly line: number;
	readonly column: number;
	readonly sentence: string;
}

/** A file, or a part of responses and pages, that a policy yields. */
export interface YieldedFile {
	/** `/robots.txt`, or what it is: `Response headers`. */
	readonly name: string;
	readonly text: string;
	/** For lint. Absent where the part has no format of its own. */
	readonly format?: FormatName;
}

/** An agent that the policy file describes. */
export type DescribedAgent = Pick<KnownAgent, 'token' | 'name' | 'operator' | 'category'>;

/** What a policy file means before it is published. */
export interface Preview {
	readonly problems: readonly PolicyProblem[];
	/** The values of the file with their places. */
	readonly places: readonly Place[];
	/** Absent where the file cannot be read. */
	readonly yields?: Yielded;
}

export interface Yielded {
	readonly origin: string;
	/** The version that agents would read. */
	readonly version: string;
	readonly files: readonly YieldedFile[];
	/** `robots2.txt` is published: silence means no then. */
	readonly agents: readonly DescribedAgent[];
}

/** The lint, the places and the published files of a policy file. @param read makes a policy of its text; undefined where it cannot */
export function previewOf(text: string, read: (text: string) => Config, own: OwnFiles): Preview {
	const problems = checkPolicyFile({ text }).map((problem) => {
		const { code, severity, line, column } = problem;
		return { code, severity, line, column, sentence: explain(problem) };
	});
	const places = placesOf(text);
	if (problems.some(({ severity }) => severity === 'error')) return { problems, places };
	return { problems, places, yields: yieldOf(read(text), own) };
}

const formats: Readonly<Record<string, FormatName>> = {
	'/robots.txt': 'robots',
	'/robots2.txt': 'robots2',
	...Object.fromEntries(fileVocabularies.map(({ name, file }) => [file.path, name])),
};

/** Everything that a policy publishes, as the gateway would serve it in front of a site with these files of its own. */
export function yieldOf(config: Config, own: OwnFiles): Yielded {
	const { terms, files, policyVersion } = publishTerms(config, own, 0);
	const { origin, identity } = config;
	const som = config.som?.announce ? somSettings(config) : undefined;
	const page = { signals: terms.signals, manifest: config.pagedigest !== undefined, ...(som && { som }) };
	const headers = Object.entries(pageHeaders(page, `${origin}/page`)).filter(([, value]) => value !== '');
	return {
		origin,
		version: policyVersion.version,
		files: [
			...[...files].map(([name, { text }]) => ({ name, text, ...(formats[name] && { format: formats[name] }) })),
			{ name: 'Response headers', text: headers.map(([name, value]) => `${name}: ${value}\n`).join('') },
			{
				name: 'Meta tags',
				text: pageTags(page, `${origin}/page`)
					.map((line) => `${line}\n`)
					.join(''),
			},
		],
		agents: identity.agents.map(({ token, name, operator, category }) => present({ token, name, operator, category })),
	};
}
