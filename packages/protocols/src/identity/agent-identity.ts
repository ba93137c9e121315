import { isOneSlip } from '../internal/one-slip.ts';
import { requireToken } from './errors.ts';

/** The agent categories that robots2.txt names (robots2.txt 0.2.1, "Standard agent categories"). */
export const agentCategories = [
	'search-indexer',
	'ai-assistant',
	'ai-researcher',
	'code-assistant',
	'data-harvester',
	'content-generator',
	'ad-network',
	'monitoring',
] as const;

export type AgentCategory = (typeof agentCategories)[number];

/** Whether `value` is one of the standard categories, in their own spelling. */
export function isAgentCategory(value: string): value is AgentCategory {
	return (agentCategories as readonly string[]).includes(value);
}

/** The standard category that an unknown `value` probably means: one slip away, or written in capitals. */
export function misspeltCategory(value: string): AgentCategory | undefined {
	if (isAgentCategory(value)) return undefined;
	return agentCategories.find((known) => isOneSlip(value.toLowerCase(), known));
}

/** Parts of `X-Agent-Identity`: the implementation, never its user. */
export interface AgentIdentityParts {
	readonly name: string;
	readonly version: string;
	/** A standard category, or one that both sides agreed on. */
	readonly category: AgentCategory | (string & {});
}

/**
 * `name/version (category)`, the value of `X-Agent-Identity` (robots2.txt 0.2.1, ANNOUNCE and `[agent: category]`).
 *
 * @throws IdentityError when a part is not an RFC 9110 token.
 */
export function buildAgentIdentity({ name, version, category }: AgentIdentityParts): string {
	const product = `${requireToken(name, 'invalid-name')}/${requireToken(version, 'invalid-version')}`;
	return `${product} (${requireToken(category, 'invalid-category')})`;
}

/** An `X-Agent-Identity` header, read. */
export interface AgentIdentity {
	readonly name: string;
	readonly version?: string;
	/** Lower case, in order; an agent may act in several roles, and then each must be permitted. */
	readonly categories: readonly string[];
}

/** Reads `name[/version] [(category[, category]…)]`; a value without a name gives undefined. */
export function parseAgentIdentity(value: string): AgentIdentity | undefined {
	const open = value.indexOf('(');
	const [name = '', version = ''] = (open < 0 ? value : value.slice(0, open)).split('/', 2).map((part) => part.trim());
	if (name === '') return undefined;
	return { name, ...(version && { version }), categories: open < 0 ? [] : parseCategories(value.slice(open + 1)) };
}

function parseCategories(text: string): string[] {
	const close = text.indexOf(')');
	const names = (close < 0 ? text : text.slice(0, close)).split(/[,;]/);
	return names.map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
}
