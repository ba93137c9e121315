import { formatLinkHeader } from '../headers/index.ts';
import { somLinkRelation } from './link.ts';
import { fullEndpoint, somRequestUrl } from './request.ts';
import { somSchemaType } from './schema-org.ts';
import { type SomFormat, type SomScope, somDefaults, somMediaTypes } from './values.ts';

/** The settings that a publisher announces. */
export interface SomSettings {
	/** Absolute; without a path it becomes `/v1/som`. */
	readonly endpoint: string;
	readonly format?: SomFormat;
	readonly scope?: SomScope;
	/** Seconds. */
	readonly freshness?: number;
	/** Tokens of cl100k_base. */
	readonly tokenBudget?: number;
}

/** The settings cannot be announced: the endpoint is not an http or https URL, or a number is invalid. */
export class SomSettingsError extends Error {
	override readonly name = 'SomSettingsError';
	readonly code = 'som-settings-invalid';
}

/**
 * The directives for robots.txt (SOM directives §4.2), one to a line. The endpoint has its full path and the format is
 * always written: that satisfies every reading. Throws SomSettingsError.
 */
export function formatSomRecords(settings: SomSettings): string {
	const { endpoint, format, scope, freshness, tokenBudget } = complete(settings);
	const lines = [
		`SOM-Endpoint: ${endpoint}`,
		`SOM-Format: ${format}`,
		`SOM-Scope: ${scope}`,
		...(freshness === undefined ? [] : [`SOM-Freshness: ${freshness}`]),
		...(tokenBudget === undefined ? [] : [`SOM-Token-Budget: ${tokenBudget}`]),
	];
	return `${lines.join('\n')}\n`;
}

/** The elements for the head of a page (§5.1), one to a line. Throws SomSettingsError. */
export function formatSomMeta(settings: SomSettings): string {
	const { endpoint, format, scope } = complete(settings);
	const tags = [
		['som-endpoint', endpoint],
		['som-format', format],
		['som-scope', scope],
	] as const;
	return tags.map(([name, content]) => `<meta name="${name}" content="${escapeAttribute(content)}">\n`).join('');
}

/** The value of the `Link` header of a page's response (§5.3). Throws SomSettingsError. */
export function formatSomLink(settings: SomSettings, pageUrl: string): string {
	const { endpoint, format } = complete(settings);
	const params = new Map([['type', somMediaTypes[format]]]);
	return formatLinkHeader([{ target: representation(endpoint, pageUrl), rel: [somLinkRelation], params }]);
}

/**
 * The JSON-LD node of a page (§5.2), with its token count and the ratio of its HTML's tokens to that, if known. Throws
 * SomSettingsError.
 */
export function formatSomSchemaOrg(
	settings: SomSettings,
	pageUrl: string,
	tokenCount?: number,
	compressionRatio?: number,
): Readonly<Record<string, string | number>> {
	const { endpoint, format, scope } = complete(settings);
	return {
		'@context': 'https://schema.org',
		'@type': somSchemaType,
		sourceUrl: pageUrl,
		representationUrl: representation(endpoint, pageUrl),
		representationFormat: format,
		...(tokenCount !== undefined && { tokenCount }),
		...(compressionRatio !== undefined && { compressionRatio }),
		contentScope: scope,
	};
}

function complete({ endpoint, format, scope, freshness, tokenBudget }: SomSettings) {
	const url = fullEndpoint(endpoint);
	if (url === undefined) throw new SomSettingsError(`${endpoint} is not an http or https URL`);
	for (const count of [freshness ?? 0, tokenBudget ?? 0]) {
		if (!Number.isSafeInteger(count) || count < 0) throw new SomSettingsError(`${count} is not a whole number`);
	}
	return {
		endpoint: url.href,
		format: format ?? somDefaults.format,
		scope: scope ?? somDefaults.scope,
		freshness,
		tokenBudget,
	};
}

function representation(endpoint: string, pageUrl: string): string {
	const url = somRequestUrl(endpoint, pageUrl);
	if (url === undefined) throw new SomSettingsError(`${pageUrl} is not an http or https URL`);
	return url;
}

function escapeAttribute(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}
