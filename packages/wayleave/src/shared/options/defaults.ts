/** Defaults that help tells as well: apart from the code that uses them, which help does not load. */

/** Default path of the policy file. */
export const defaultPolicyFile = 'wayleave.config.yaml';

/** Default address of the dashboard of `wayleave gateway`. */
export const usualDashboard = '127.0.0.1:8081';

/** The defaults of `@wayleave/service`, which may not be installed where help shows them; a test compares them. */
export const publicResolvers = ['1.1.1.1', '8.8.8.8', '9.9.9.9'] as const;
export const scopeNames = [
	'documents:read',
	'documents:fetch',
	'sites:write',
	'reports:write',
	'reports:review',
	'mcp:use',
	'metrics:read',
] as const;
export const usualScopes = ['documents:read', 'documents:fetch'] as const;

/** How long servers wait at their end for what is in flight; milliseconds. */
export const usualGrace = 10_000;
