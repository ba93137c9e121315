import type { ServiceConfig } from '../config/config.ts';

/** What examples need of a service. */
export interface Caller {
	/** The address that a person copies. */
	readonly address: string;
	/** Whether requests need no key. */
	readonly open: boolean;
}

export const callerOf = (config: ServiceConfig, address: string): Caller => ({ address, open: config.open });

interface Call {
	readonly method?: string;
	readonly path: string;
	readonly body?: unknown;
	/** Whether the route needs a key. Default true. */
	readonly needsKey?: boolean;
	readonly headers?: readonly string[];
}

/** A command line of curl for one call. */
export function curl({ address, open }: Caller, { method, path, body, needsKey = true, headers = [] }: Call): string {
	const parts = [
		...(method === undefined || method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`-X ${method}`]),
		...(open || !needsKey ? [] : [`-H 'Authorization: Bearer KEY'`]),
		...(body === undefined ? [] : [`-H 'Content-Type: application/json'`]),
		...headers.map((header) => `-H '${header}'`),
		...(body === undefined ? [] : [`-d '${JSON.stringify(body)}'`]),
		// An address with a `&` in it would end the command.
		path.includes('?') ? `'${address}${path}'` : `${address}${path}`,
	];
	const line = ['curl', ...parts].join(' ');
	return line.length <= 78 ? line : ['curl', ...parts].join(' \\\n  ');
}

/** A program in TypeScript for the same. */
export function typescript({ address, open }: Caller, lines: readonly string[]): string {
	const key = open ? '' : ", key: 'KEY'";
	return [
		"import { createClient } from '@wayleave/service/client';",
		'',
		`const client = createClient({ url: '${address}'${key} });`,
		...lines,
	].join('\n');
}
