export {
	type AgentCategory,
	type AgentIdentity,
	type AgentIdentityParts,
	agentCategories,
	buildAgentIdentity,
	isAgentCategory,
	misspeltCategory,
	parseAgentIdentity,
} from './agent-identity.ts';
export { type KnownAgent, knownAgents } from './catalogue.ts';
export { IdentityError, type IdentityErrorCode } from './errors.ts';
export { findAgent, findAgentByToken } from './lookup.ts';
export {
	type AiWebIndexUserAgent,
	aiWebIndexProduct,
	buildUserAgent,
	parseUserAgent,
	type UserAgentParts,
} from './user-agent.ts';
