import { expect, it } from 'vitest';
import { computeEconomics } from './economics.ts';

it('AWI-48 AWI-49 AWI-50 savings, percentage and amounts follow from the counts', () => {
	for (const [outputTokens, rawTokens] of [
		[1500, 20_000],
		[300, 100],
		[0, 7],
	] as const) {
		const found = computeEconomics({
			outputTokens,
			rawTokens,
			pricing: { inputPricePer1kUsd: 0.005, modelClass: 'large' },
		})!;
		expect(found.token_savings).toBe(found.raw_html_tokens_approx - found.output_tokens_approx);
		expect(found.token_savings_percent).toBe((found.token_savings / found.raw_html_tokens_approx) * 100);
		const price = found.pricing_basis.input_price_per_1k_usd;
		expect(found.estimated_cost_usd).toEqual({
			our_output: (outputTokens / 1000) * price,
			raw_html: (rawTokens / 1000) * price,
			savings: ((rawTokens - outputTokens) / 1000) * price,
		});
	}
});

it('AMB-30 the note names the tokenizer, and a raw count of 0 leaves the group out', () => {
	expect(computeEconomics({ outputTokens: 1, rawTokens: 0 })).toBeUndefined();
	expect(computeEconomics({ outputTokens: 1, rawTokens: 2 })!.pricing_basis).toEqual({
		input_price_per_1k_usd: 0.003,
		model_class: 'mid-tier',
		note: 'Tokens counted with cl100k_base.',
	});
	const pricing = { inputPricePer1kUsd: 1, modelClass: 'x', note: 'List price.' };
	expect(computeEconomics({ outputTokens: 1, rawTokens: 2, pricing })!.pricing_basis.note).toBe(
		'Tokens counted with cl100k_base. List price.',
	);
});
