export * from './agent-identity.ts';
export { AgentIndex, type NamedAgent } from './agent-index.ts';
export { knownAgents } from './catalogue.ts';
export { isCommonToken } from './common-words.ts';
export { IdentityError, type IdentityErrorCode } from './errors.ts';
export type { KnownAgent } from './known-agent.ts';
export { agentCatalogue, findAgent, findAgentByToken, misspeltToken } from './lookup.ts';
export { type Product, productsOf } from './products.ts';
export * from './user-agent.ts';
