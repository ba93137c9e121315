import type { Place, ProblemTable } from '../../internal/problem-maker.ts';
import type { Parsed, Problem } from '../../problem.ts';
import type { PathFile } from '../path-files.ts';
import type { Agent, MetaTag, PageSignals, Statement, Use } from '../types.ts';
import type { RecordKeyOf, VocabularyName, vocabularyNames } from './names.ts';

/** A record of robots.txt, `Key: value`. */
export interface RecordDefinition<Code extends string = string> {
	check?(value: string, at: Place): readonly Problem<Code>[];
}

export interface HeaderDefinition {
	/** In lower case. */
	readonly field: string;
	/** If a site sends the field itself: `add` ours, or leave it because two would contradict. */
	readonly repeats: 'add' | 'site-wins';
	/** The meta tag that states the same. */
	readonly meta?: string;
	/** Whether a value states terms; all do when absent. */
	isStatement?(value: string): boolean;
}

/** A file at a fixed path of the host. */
export interface FileDefinition<File, Code extends string = string> {
	readonly path: string;
	readonly mediaType: string;
	/** Its name in lint. */
	readonly title: string;
	/** Keys that identify a JSON file under another name. */
	readonly keys: readonly string[];
	parse(input: string | Uint8Array): Parsed<File, Code>;
	/** Whether the file can matter for a use by an agent: otherwise it is not requested. */
	concerns(use: Use, agent: Agent): boolean;
}

/** The statements of one host for one agent. */
export interface VocabularySite<File> {
	readonly agent: Agent;
	/** robots.txt and the robots2.txt files. */
	readonly robots: readonly PathFile[];
	readonly file: { readonly source: string; readonly value: File } | undefined;
}

/** A vocabulary that has read the files of a host. */
export interface PreparedVocabulary {
	/**
	 * Statements of the files, if they make any; `page` is passed for a vocabulary whose responses overrule its file.
	 */
	readonly site?: ((use: Use, url: string, page: PageSignals | undefined) => readonly Statement[]) | undefined;
	/** Statements that a response makes about itself. */
	readonly response?: (use: Use, page: PageSignals) => readonly Statement[];
}

/** A policy that is to be published. */
export interface PolicyView {
	/** The value of a directive for a category, or the general one. */
	value(use: Use, category?: string): string | undefined;
	/** The value if it is the same for every category: no vocabulary but robots2.txt knows categories. */
	valueForAll(use: Use): string | undefined;
	/** URL of the full policy. */
	readonly policyUrl: string;
}

/** A policy in one vocabulary. */
export interface Published<Code extends string = string> {
	/** Values of robots.txt records by key, spelled as in the file. */
	readonly records?: Readonly<Record<string, string>>;
	/** Values of header fields by lower-case name. */
	readonly headers?: Readonly<Record<string, string>>;
	readonly meta?: readonly MetaTag[];
	/** The text of the vocabulary's file. */
	readonly file?: string;
	/** Why it says less than the policy. */
	readonly problems?: readonly Problem<Code>[];
}

/** A vocabulary in which sites state terms, beside robots.txt and robots2.txt. */
export interface Vocabulary<
	Problems extends ProblemTable = ProblemTable,
	File = unknown,
	Option extends string = string,
> {
	readonly name: VocabularyName;
	readonly title: string;
	/** The document that defines it. */
	readonly specification: string;
	readonly problems: Problems;
	/** By lower-case key. */
	readonly records?: Readonly<Record<string, RecordDefinition<keyof Problems & string>>>;
	readonly headers?: readonly HeaderDefinition[];
	/** `<link>` elements of a page. */
	readonly links?: readonly { readonly rel: string; readonly type: string }[];
	readonly file?: FileDefinition<File, keyof Problems & string>;
	/** Called once per host and agent. */
	prepare(site: VocabularySite<File>): PreparedVocabulary;
	readonly publish?: {
		/** Key of `publish` in the policy file. */
		readonly option: Option;
		statements(policy: PolicyView): Published<keyof Problems & string> | undefined;
	};
}

/** Requires a definition for each record key that `names.ts` lists. */
type Promised<Name extends VocabularyName> = [RecordKeyOf<Name>] extends [never]
	? { readonly records?: never }
	: { readonly records: { readonly [Key in RecordKeyOf<Name>]: RecordDefinition } };

/** Checks a vocabulary against its entry in `names.ts`. */
export function defineVocabulary<
	const Name extends keyof typeof vocabularyNames,
	Problems extends ProblemTable,
	File = never,
	const Option extends string = never,
>(
	vocabulary: Vocabulary<Problems, File, Option> & Promised<Name> & { readonly name: Name },
): Vocabulary<Problems, File, Option> & { readonly name: Name } {
	return vocabulary;
}
