import { present } from '@wayleave/protocols';
import {
	formatSomLink,
	formatSomMeta,
	formatSomRecords,
	formatSomSchemaOrg,
	type SomSettings,
} from '@wayleave/protocols/som';
import type { Config } from '../config/schema.ts';

/** The SOM endpoint of a policy file as it is announced; undefined where there is none. */
export function somSettings({ origin, som }: Pick<Config, 'origin' | 'som'>): SomSettings | undefined {
	if (som === undefined) return undefined;
	const { endpoint, format, scope, freshness, tokenBudget } = som;
	return present({ endpoint: new URL(endpoint, origin).href, format, scope, freshness, tokenBudget });
}

/** The lines for robots.txt (SOM directives §4.2), as comments where that is wished. */
export function somRecords(settings: SomSettings | undefined, how: 'on' | 'comment' | 'off'): string[] {
	if (settings === undefined || how === 'off') return [];
	const lines = formatSomRecords(settings).trimEnd().split('\n');
	return how === 'on' ? lines : lines.map((line) => `# ${line}`);
}

/** The layers of one page that announce its representation (§5.1 to §5.3). */
export interface SomPageLayers {
	/** Elements for the head. */
	readonly meta: readonly string[];
	/** A JSON-LD node. */
	readonly schemaOrg: Readonly<Record<string, string | number>>;
	/** The value of a `Link` header. */
	readonly link: string;
}

/** Tokens of cl100k_base. */
export interface PageTokens {
	/** Of the page without our tags. */
	readonly html: number;
	/** Of the representation as served. */
	readonly som: number;
}

/** How many times as many tokens the HTML has (SOM directives §5.2), to a tenth. */
export const compressionOf = ({ html, som }: PageTokens): number => Math.round((html / Math.max(1, som)) * 10) / 10;

/** The three layers of a page, all for the same endpoint, format and scope (SOM-24). */
export function somPageLayers(settings: SomSettings, pageUrl: string, tokens?: PageTokens): SomPageLayers {
	return {
		meta: formatSomMeta(settings).trimEnd().split('\n'),
		schemaOrg: formatSomSchemaOrg(settings, pageUrl, tokens?.som, tokens && compressionOf(tokens)),
		link: formatSomLink(settings, pageUrl),
	};
}
