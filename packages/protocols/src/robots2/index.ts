export * from './ask.ts';
export { type FetchedText, type FetchText, maxChainDepth, type ResolvedChain, resolveChain } from './chain.ts';
export { type CheckRobots2Options, checkRobots2 } from './check.ts';
export {
	type DirectiveKind,
	type DirectiveName,
	directive,
	directiveNamed,
	directiveNames,
	type PermissionName,
	type PolicyName,
	permissionNames,
	policyNames,
	type QualityName,
	qualityNames,
} from './directives.ts';
export { type EffectivePolicy, effectivePolicy, type PolicyReader, type Setting, sameOrigin } from './effective.ts';
export {
	formatRobots2,
	type PathGroup,
	type Robots2Draft,
	Robots2FormatError,
	type Robots2Values,
	robots2Draft,
} from './format.ts';
export type { HeaderFields } from './header-fields.ts';
export { isMetaValue } from './meta.ts';
export { type ParseRobots2Options, parseRobots2 } from './parse.ts';
export type { Robots2Problem, Robots2ProblemCode } from './problems.ts';
export { countWords, type Excerpt, limitQuotes, limitWords, shortQuoteWords } from './quote.ts';
export { matchScope } from './scope.ts';
export type { Robots2Entry, Robots2File, Robots2Section, Robots2Source } from './types.ts';
