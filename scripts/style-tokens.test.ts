import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeTokens, tokensModule } from './style-tokens.ts';

it('the pages of the service have the colours of the dashboard', () => {
	expect(readFileSync(tokensModule, 'utf8'), 'tsx scripts/style-tokens.ts').toBe(makeTokens());
	expect(makeTokens()).toContain('--accent:');
});
