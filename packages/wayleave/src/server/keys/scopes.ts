/** What a key may be good for. */
export const scopes = {
	'documents:read': 'documents that are stored',
	'documents:fetch': 'documents, fetched where they are not stored',
	'sites:write': 'registering domains and proving them',
	'reports:write': 'violation reports',
	'reports:review': 'deciding what of the reports is published',
	'mcp:use': 'the tools for assistants',
	'metrics:read': 'the metrics of the service',
} as const satisfies Record<string, string>;

export type Scope = keyof typeof scopes;

export const scopeNames = Object.keys(scopes) as Scope[];

/** Of a key for which nothing else is said. */
export const usualScopes: readonly Scope[] = ['documents:read', 'documents:fetch'];

export const isScope = (text: string): text is Scope => Object.hasOwn(scopes, text);
