import { checkSchema } from '../internal/document-text.ts';
import { isObject } from '../internal/json-schema.ts';
import { isLanguageTag } from './language.ts';
import type { AIDocumentProblemCode, Finding } from './problems.ts';
import { aiDocumentSchema } from './schema.ts';
import { isHeadingHierarchyOk } from './signals.ts';
import type { AIDocument, CacheStatus, EconomicsInfo, FreshnessPolicy } from './types.ts';

/** Departures of a value from the schema of AIDocument 2.x. */
export const checkShape = (value: unknown): Finding[] => checkSchema('aidocument', aiDocumentSchema, value);

/** Contradictions in a well-formed document, and departures from the prose of the draft. */
export function checkSense(document: AIDocument): Finding[] {
	return [
		...checkEmptiness(document),
		...checkDropped(document),
		...checkCache(document),
		...checkIdentity(document),
		...checkSignals(document),
		...(document.economics === undefined ? [] : checkEconomics(document.economics)),
	];
}

const optionalTexts = [
	['source', 'canonical_url'],
	['identity', 'title'],
	['identity', 'description'],
	['identity', 'language'],
	['identity', 'content_type'],
] as const;

function checkEmptiness(document: AIDocument): Finding[] {
	return optionalTexts
		.filter(([group, name]) => (document[group] as Record<string, unknown>)[name] === '')
		.map(([group, name]) => finding('aidocument-empty-field', `/${group}/${name}`));
}

/** The three fields of 1.0 that have no place in 2.0 (§4.4). */
function checkDropped(document: AIDocument): Finding[] {
	return Object.entries(document).flatMap(([group, fields]) =>
		['fetch_duration_ms', 'content_length', 'user_agent']
			.filter((name) => isObject(fields) && Object.hasOwn(fields, name))
			.map((name) => finding('aidocument-dropped-field', `/${group}/${name}`)),
	);
}

interface Outcome {
	readonly contacted: boolean;
	readonly fetched: boolean;
	readonly policy?: FreshnessPolicy;
}

/** Status → traffic that it implies, and policy that it requires (§4.2 cache). */
const outcomes: Record<CacheStatus, Outcome> = {
	hit: { contacted: false, fetched: false },
	miss: { contacted: true, fetched: true, policy: 'cache_first' },
	refreshed: { contacted: true, fetched: true, policy: 'force_refresh' },
	stale_revalidated: { contacted: true, fetched: false },
};

function checkCache({ cache, source }: AIDocument): Finding[] {
	const { contacted, fetched, policy = source.freshness_policy } = outcomes[cache.status];
	const facts = [
		['/cache/origin_contacted', cache.origin_contacted, contacted],
		['/cache/body_fetched', cache.body_fetched, fetched],
		['/source/freshness_policy', source.freshness_policy, policy],
	] as const;
	return facts
		.filter(([, found, expected]) => found !== expected)
		.map(([pointer, found]) =>
			finding('aidocument-cache-contradiction', pointer, { status: cache.status, found: String(found) }),
		);
}

function checkIdentity({ identity: { language, content_type: type } }: AIDocument): Finding[] {
	const found: Finding[] = [];
	if (language && !isLanguageTag(language)) {
		found.push(finding('aidocument-malformed-language', '/identity/language', { found: language }));
	}
	if (type?.includes('/'))
		found.push(finding('aidocument-mime-content-type', '/identity/content_type', { found: type }));
	return found;
}

/** Only what the document itself can refute: a page may declare JSON-LD that did not parse. */
function checkSignals({ signals, structure }: AIDocument): Finding[] {
	const found: Finding[] = [];
	const contradict = (name: 'has_json_ld' | 'heading_hierarchy_ok', expected: boolean) => {
		if (signals[name] === expected) return;
		const args = { found: String(signals[name]), expected: String(expected) };
		found.push(finding('aidocument-signals-contradiction', `/signals/${name}`, args));
	};
	if (structure.headings !== undefined) contradict('heading_hierarchy_ok', isHeadingHierarchyOk(structure.headings));
	if (Object.keys(structure.structured_data ?? {}).length > 0) contradict('has_json_ld', true);
	return found;
}

function checkEconomics(economics: EconomicsInfo): Finding[] {
	const { output_tokens_approx: output, raw_html_tokens_approx: raw, estimated_cost_usd: cost } = economics;
	const price = economics.pricing_basis.input_price_per_1k_usd / 1000;
	const sums = [
		['token_savings', economics.token_savings, raw - output, 0],
		['token_savings_percent', economics.token_savings_percent, ((raw - output) / raw) * 100, 1e-3],
		['estimated_cost_usd/our_output', cost.our_output, output * price, 1e-3],
		['estimated_cost_usd/raw_html', cost.raw_html, raw * price, 1e-3],
		['estimated_cost_usd/savings', cost.savings, (raw - output) * price, 1e-3],
	] as const;
	return sums
		.filter(([, found, expected, tolerance]) => Number.isFinite(expected) && !isNear(found, expected, tolerance))
		.map(([name, found, expected]) =>
			finding('aidocument-economics-arithmetic', `/economics/${name}`, { found, expected }),
		);
}

/** Integers are exact; percentages and amounts may have been rounded. */
function isNear(found: number, expected: number, tolerance: number): boolean {
	return Math.abs(found - expected) <= Math.abs(expected) * tolerance + 1e-6;
}

function finding(code: AIDocumentProblemCode, pointer: string, args: Finding['args'] = {}): Finding {
	return { code, pointer, args: { pointer, ...args } };
}
