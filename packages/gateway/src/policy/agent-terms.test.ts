import { preparePolicies } from '@wayleave/protocols/policy';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import { policiesOf, termsOf } from '../terms/terms.ts';
import * as arbitrary from '../terms/testing/configs.ts';
import { prepareAgentTerms } from './agent-terms.ts';

const origin = 'https://example.com';

it('a decision that is remembered is the decision that would be made anew', () => {
	const paths = fc.array(
		fc.oneof(
			arbitrary.path,
			fc.webPath(),
			fc.string().map((text) => `/${text}`),
		),
		{
			minLength: 2,
			maxLength: 12,
		},
	);
	fc.assert(
		fc.property(arbitrary.config, arbitrary.token, paths, (file, token, wanted) => {
			const policies = policiesOf(termsOf(file), origin);
			const terms = prepareAgentTerms(policies, { token });
			for (const path of [...wanted, ...wanted]) {
				for (const use of ['crawl', 'read'] as const) {
					const anew = preparePolicies(policies, { token }).decide(use, origin + path);
					expect(terms.decideFetch(use, origin + path)).toEqual(anew);
				}
			}
		}),
	);
});

it('paths that the same rules decide share one verdict', () => {
	const file = checkConfig({ origin, paths: { disallow: ['/private'] }, policy: { read: 'yes' } });
	const terms = prepareAgentTerms(policiesOf(termsOf(file), origin), { token: 'GPTBot' });
	const open = terms.decideFetch('read', `${origin}/a`);
	expect(terms.decideFetch('read', `${origin}/b?x=1`)).toBe(open);
	expect(terms.decideFetch('read', `${origin}/private/a`).permitted).toBe(false);
	expect(terms.decideFetch('read', `${origin}/private/b`)).toBe(terms.decideFetch('read', `${origin}/private/a`));
});
