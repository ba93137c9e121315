export { namesOfAgent } from './agent-names.ts';
export { type FileState, robots2FileState, robotsFileState } from './availability.ts';
export { checkUsageRecords } from './check.ts';
export {
	type ContentSignals,
	parseContentSignal,
	type SignalName,
	signalNames,
	type UseLevel,
	useLevels,
} from './content-signal.ts';
export {
	parseContentUsage,
	parseUsageRule,
	type UsageCategory,
	type UsagePreferences,
	type UsageRule,
	usageCategories,
} from './content-usage.ts';
export { decide } from './decide.ts';
export { licencesOfHeaders, licencesOfRobots, rslType } from './licences.ts';
export { type Occasion, type PreparedPolicies, preparePolicies } from './prepare.ts';
export { type Credit, creditLine, governs, type Presentation, type Presented, present } from './present.ts';
export type { PolicyProblem, PolicyProblemCode } from './problems.ts';
export { metaRules, robotsTagRules, type TagRule } from './robots-tags.ts';
export { pageSignalFields } from './signal-fields.ts';
export { parseTdmrep, type Reservation, type TdmrepFile, type TdmrepRule } from './tdmrep.ts';
export type {
	Agent,
	AskRecord,
	Effect,
	HostPolicies,
	LicenceReference,
	Limits,
	MetaTag,
	MissingFile,
	Obligations,
	OperatorRule,
	PageSignals,
	Policies,
	Verdict,
} from './types.ts';
export { type Use, useNamed, uses } from './uses.ts';
