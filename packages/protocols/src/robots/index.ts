export { isProductToken, productOfUserAgent } from './agents.ts';
export { checkRobots } from './check.ts';
export { pathOfUrl } from './escapes.ts';
export { formatRobots } from './format.ts';
export { matchRobots, type PreparedRobots, prepareRobots } from './match.ts';
export type { RobotsMode } from './modes.ts';
export { checkOwnRules } from './named-groups.ts';
export { type ParseRobotsOptions, parseRobots } from './parse.ts';
export { compilePathPattern, type PathMatcher } from './path-pattern.ts';
export type { RobotsCode } from './problems.ts';
export type {
	RobotsAgent,
	RobotsFile,
	RobotsGroup,
	RobotsLine,
	RobotsRecord,
	RobotsRule,
	RobotsVerdict,
} from './types.ts';
