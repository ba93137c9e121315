import type { JsonSchema } from '../internal/json-schema.ts';

const string = { type: 'string' } as const;
const boolean = { type: 'boolean' } as const;
const number = { type: 'number' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const url = {
	type: 'string',
	pattern: '^[A-Za-z][A-Za-z0-9+.-]*://[^\\s]+$',
	description: 'an absolute URL',
} as const;

function object(required: readonly string[], properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
	return { type: 'object', required, properties };
}

function oneOf(...values: string[]): JsonSchema {
	return { type: 'string', enum: values };
}

/**
 * JSON Schema (2020-12) of an AIDocument 2.x (AIWebIndex 2.0 §4). It is open on purpose: a later 2.x revision may add
 * optional groups and fields, and a reader has to accept them. The validator here reads this very schema.
 */
export const aiDocumentSchema: JsonSchema = {
	$schema: 'https://json-schema.org/draft/2020-12/schema',
	title: 'AIDocument',
	description: 'The structured extraction of one URL (AIWebIndex 2.0, section 4).',
	...object(['schema', 'source', 'cache', 'identity', 'content', 'structure', 'signals'], {
		schema: object(['name', 'version'], {
			name: { type: 'string', const: 'AIDocument' },
			version: { type: 'string', pattern: '^2\\.(0|[1-9][0-9]*)$', description: 'a version 2.x' },
			ref: { type: 'string', pattern: '^aidoc:[^\\s]+$', description: 'aidoc: and an opaque identifier' },
		}),
		source: object(['url', 'freshness_policy'], {
			url,
			canonical_url: string,
			fetched_at: {
				type: 'string',
				pattern:
					'^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)([.][0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$',
				description: 'an RFC 3339 timestamp',
			},
			render_mode: oneOf('static', 'rendered', 'static_after_render_failure'),
			status_code: { type: 'integer', minimum: 100, maximum: 599 },
			freshness_policy: oneOf('cache_first', 'force_refresh'),
		}),
		cache: object(['status', 'origin_contacted', 'body_fetched'], {
			status: oneOf('hit', 'miss', 'refreshed', 'stale_revalidated'),
			origin_contacted: boolean,
			body_fetched: boolean,
		}),
		identity: object([], { title: string, description: string, language: string, content_type: string }),
		content: object(['markdown'], { markdown: string }),
		structure: object([], {
			headings: {
				type: 'array',
				items: object(['level', 'text'], {
					level: { type: 'integer', minimum: 1, maximum: 6 },
					text: string,
					id: string,
				}),
			},
			links: {
				type: 'array',
				items: object(['url', 'internal'], { url: string, text: string, internal: boolean, rel: string }),
			},
			images: { type: 'array', items: object(['url'], { url: string, alt: string }) },
			structured_data: { type: 'object' },
		}),
		signals: object(['has_json_ld', 'heading_hierarchy_ok'], {
			word_count: count,
			reading_time: count,
			has_json_ld: boolean,
			heading_hierarchy_ok: boolean,
		}),
		economics: object(
			[
				'output_tokens_approx',
				'raw_html_tokens_approx',
				'token_savings',
				'token_savings_percent',
				'estimated_cost_usd',
				'pricing_basis',
			],
			{
				output_tokens_approx: count,
				raw_html_tokens_approx: count,
				token_savings: { type: 'integer' },
				token_savings_percent: number,
				estimated_cost_usd: object(['our_output', 'raw_html', 'savings'], {
					our_output: number,
					raw_html: number,
					savings: number,
				}),
				pricing_basis: object(['input_price_per_1k_usd', 'model_class'], {
					input_price_per_1k_usd: number,
					model_class: string,
					note: string,
				}),
			},
		),
	}),
};
