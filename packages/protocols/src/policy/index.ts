export { namesOfAgent } from './agent-names.ts';
export { type FileState, robots2FileState, robotsFileState } from './availability.ts';
export { checkUsageRecords } from './check-records.ts';
export { decide } from './decide.ts';
export * from './prepare.ts';
export { type Credit, creditLine, governs, type Presentation, type Presented, present } from './present.ts';
export { limitTexts, obligationTexts } from './present-terms.ts';
export type { PolicyProblem, PolicyProblemCode } from './problems.ts';
export type * from './types.ts';
export { type Use, useNamed, uses } from './uses.ts';
export {
	type ContentSignals,
	parseContentSignal,
	type SignalName,
	signalNames,
	type UseLevel,
	useLevels,
} from './vocabularies/content-signal.ts';
export {
	parseContentUsage,
	parseUsageRule,
	type UsageCategory,
	type UsagePreferences,
	type UsageRule,
	usageCategories,
} from './vocabularies/content-usage.ts';
export {
	type FileVocabulary,
	fileVocabularies,
	isPolicyHeader,
	isPolicyLink,
	type PublishOption,
	pageSignalFields,
	vocabularies,
} from './vocabularies/index.ts';
export {
	type FileVocabularyName,
	fileRecordKeys,
	fileVocabularyNames,
	groupRecordKeys,
	type VocabularyName,
} from './vocabularies/names.ts';
export { metaRules, robotsTagRules, type TagRule } from './vocabularies/robots-tags.ts';
export { licencesOfHeaders, licencesOfRobots, rslType } from './vocabularies/rsl.ts';
export { parseTdmrep, type Reservation, type TdmrepFile, type TdmrepRule } from './vocabularies/tdmrep.ts';
export type {
	FileDefinition,
	HeaderDefinition,
	PolicyView,
	Published,
	RecordDefinition,
	Vocabulary,
} from './vocabularies/vocabulary.ts';
