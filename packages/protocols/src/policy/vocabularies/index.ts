import type { ProblemTable } from '../../internal/problem-maker.ts';
import { contentSignal } from './content-signal.ts';
import { contentUsage } from './content-usage.ts';
import type { VocabularyName } from './names.ts';
import { robotsTags } from './robots-tags.ts';
import { rsl } from './rsl.ts';
import { tdmrep } from './tdmrep.ts';
import type { FileDefinition, RecordDefinition, Vocabulary } from './vocabulary.ts';

/** In the order of their statements in a verdict, and of published header fields and meta tags. */
const byName = {
	'content-usage': contentUsage,
	'content-signal': contentSignal,
	rsl,
	'robots-tags': robotsTags,
	tdmrep,
} satisfies { readonly [Name in VocabularyName]: Vocabulary & { readonly name: Name } };

export const vocabularies: readonly Vocabulary[] = Object.values(byName);

/** Codes of all vocabularies. */
export type VocabularyCode = {
	[Name in VocabularyName]: keyof (typeof byName)[Name]['problems'] & string;
}[VocabularyName];

/** Keys of `publish` in a policy file. */
export type PublishOption = {
	[Name in VocabularyName]: (typeof byName)[Name] extends Vocabulary<ProblemTable, never, infer Option>
		? Option
		: never;
}[VocabularyName];

export const vocabularyProblems: Readonly<Record<VocabularyCode, ProblemTable[string]>> = Object.assign(
	{},
	...vocabularies.map(({ problems }) => problems),
);

const records = new Map<string, RecordDefinition<VocabularyCode>>(
	Object.values(byName).flatMap((vocabulary) => Object.entries(vocabulary.records ?? {})),
);

/** @param key in lower case */
export const recordDefinition = (key: string): RecordDefinition<VocabularyCode> | undefined => records.get(key);

/** The header fields in which a response states terms: a stored page must keep them. In lower case. */
export const pageSignalFields: readonly string[] = vocabularies.flatMap(({ headers = [] }) =>
	headers.map(({ field }) => field),
);

/** A vocabulary with a file of its own. */
export type FileVocabulary = Vocabulary & { readonly file: FileDefinition<unknown> };

export const fileVocabularies: readonly FileVocabulary[] = vocabularies.filter(
	(vocabulary): vocabulary is FileVocabulary => vocabulary.file !== undefined,
);

const policyLinks = vocabularies.flatMap(({ links = [] }) => links);

/** Whether a `<link>` of a page states terms. */
export const isPolicyLink = ({
	rel,
	type = '',
}: {
	readonly rel: string;
	readonly type?: string | undefined;
}): boolean =>
	policyLinks.some((link) => link.type === type.toLowerCase() && rel.toLowerCase().split(/\s+/).includes(link.rel));

const statementFields = new Map(vocabularies.flatMap(({ headers = [] }) => headers.map((each) => [each.field, each])));

/** Whether a header field states terms. @param field in lower case */
export function isPolicyHeader(field: string, value: string): boolean {
	const header = statementFields.get(field);
	return header !== undefined && (header.isStatement?.(value) ?? true);
}
