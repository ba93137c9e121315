export { isProductToken, productOfUserAgent } from './agents.ts';
export { checkRobots } from './check.ts';
export { pathOfUrl } from './escapes.ts';
export { formatRobots } from './format.ts';
export { isFileRecord } from './keys.ts';
export { matchRobots, prepareRobots } from './match.ts';
export type { RobotsMode } from './modes.ts';
export { checkOwnRules } from './named-groups.ts';
export { type ParseRobotsOptions, parseRobots } from './parse.ts';
export { compilePathPattern, type PathMatcher } from './path-pattern.ts';
export type { RobotsCode } from './problems.ts';
export { recordEffects } from './record-effects.ts';
export type {
	PreparedRobots,
	RobotsAgent,
	RobotsFile,
	RobotsGroup,
	RobotsLine,
	RobotsRecord,
	RobotsRule,
	RobotsVerdict,
} from './types.ts';
