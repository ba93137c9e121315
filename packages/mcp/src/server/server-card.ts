import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { version } from '../call/version.ts';

/** Path of the card, below the address of the tools: the default of the Server Card extension (SEP-2127). */
export const cardPath = '/mcp/server-card';
export const cardType = 'application/mcp-server-card+json';

/** Path of a domain's list of cards, by the same extension. */
export const catalogPath = '/.well-known/mcp/catalog.json';

/**
 * Description of the server for clients that have not connected yet: MCP Server Cards, SEP-2127, extension schema v1.
 * Without a public address there is no endpoint to name, and the card only describes the server.
 *
 * @param publicUrl without a slash at its end
 */
export function serverCard(publicUrl: string | undefined, needsKey: boolean) {
	const remote = {
		type: 'streamable-http',
		url: `${publicUrl}/mcp`,
		supportedProtocolVersions: SUPPORTED_PROTOCOL_VERSIONS,
		...(needsKey && { headers: [{ ...authorization }] }),
	};
	return {
		$schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
		name: `${namespaceOf(publicUrl)}/wayleave`,
		title: 'Wayleave',
		version,
		description: 'Web pages as clean Markdown, fetched under the terms of their sites.',
		websiteUrl: 'https://github.com/wayleave/wayleave',
		repository: { url: 'https://github.com/wayleave/wayleave', source: 'github' },
		...(publicUrl !== undefined && { remotes: [remote] }),
	};
}

const authorization = {
	name: 'Authorization',
	description: 'An API key with the scope mcp:use, as "Bearer KEY"',
	isRequired: true,
	isSecret: true,
} as const;

/** The list of this domain's cards: one, if the domain is known. */
export function mcpCatalog(publicUrl: string | undefined) {
	const entries =
		publicUrl === undefined
			? []
			: [
					{
						identifier: `urn:air:${new URL(publicUrl).hostname}:wayleave`,
						displayName: 'Wayleave',
						type: cardType,
						url: publicUrl + cardPath,
					},
				];
	return { specVersion: 'draft', entries };
}

/** The reversed host name; the project's own name space if the host is unknown. */
function namespaceOf(publicUrl: string | undefined): string {
	if (publicUrl === undefined) return 'io.github.wayleave';
	const { hostname } = new URL(publicUrl);
	return /^[\d.]+$|^\[/.test(hostname) ? 'io.github.wayleave' : hostname.split('.').reverse().join('.');
}
