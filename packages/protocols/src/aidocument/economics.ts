import type { EconomicsInfo } from './types.ts';

/** Token counts under cl100k_base: counting needs its tables, so the counts are passed in. */
export interface TokenCounts {
	readonly outputTokens: number;
	readonly rawTokens: number;
	readonly pricing?: Pricing;
}

export interface Pricing {
	readonly inputPricePer1kUsd: number;
	readonly modelClass: string;
	readonly note?: string;
}

const midTier: Pricing = { inputPricePer1kUsd: 0.003, modelClass: 'mid-tier' };
const tokenizer = 'Tokens counted with cl100k_base.';

/**
 * Computes the `economics` group (AIWebIndex 2.0 §4.2 economics). Savings may be negative;
 * there is no group at all where the raw page has no tokens, since no percentage exists.
 */
export function computeEconomics({
	outputTokens,
	rawTokens,
	pricing = midTier,
}: TokenCounts): EconomicsInfo | undefined {
	if (rawTokens === 0) return undefined;
	const saved = rawTokens - outputTokens;
	const cost = (tokens: number) => (tokens / 1000) * pricing.inputPricePer1kUsd;
	return {
		output_tokens_approx: outputTokens,
		raw_html_tokens_approx: rawTokens,
		token_savings: saved,
		token_savings_percent: (saved / rawTokens) * 100,
		estimated_cost_usd: { our_output: cost(outputTokens), raw_html: cost(rawTokens), savings: cost(saved) },
		pricing_basis: {
			input_price_per_1k_usd: pricing.inputPricePer1kUsd,
			model_class: pricing.modelClass,
			note: pricing.note === undefined ? tokenizer : `${tokenizer} ${pricing.note}`,
		},
	};
}
