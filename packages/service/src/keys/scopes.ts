/** Permissions of a key. */
export const scopes = {
	'documents:read': 'read stored documents',
	'documents:fetch': 'read documents, and fetch those that are not stored',
	'sites:write': 'register and prove domains',
	'reports:write': 'violation reports',
	'reports:review': 'decide which reports are published',
	'mcp:use': 'use the tools for assistants',
	'metrics:read': 'read the metrics of the service',
} as const satisfies Record<string, string>;

export type Scope = keyof typeof scopes;

export const scopeNames = Object.keys(scopes) as Scope[];

/** Of a key for which nothing else is said. */
export const usualScopes: readonly Scope[] = ['documents:read', 'documents:fetch'];

export const isScope = (text: string): text is Scope => Object.hasOwn(scopes, text);
