import { agentCategories } from '@wayleave/protocols/identity';
import { preparePolicies } from '@wayleave/protocols/policy';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import { policiesOf, termsOf } from '../terms/terms.ts';
import * as arbitrary from '../terms/testing/configs.ts';
import { prepareAgentTerms } from './agent-terms.ts';
import { createPolicyVersion } from './policy-version.ts';
import { termsKeyOf } from './same-terms.ts';

const origin = 'https://example.com';
const texts = { version: '1', since: 0, robots: '', robots2: '' };

const values = (effective: object) =>
	Object.fromEntries(Object.entries(effective).map(([name, { value }]) => [name, value]));

it('agents with the same key have the same terms', () => {
	const category = fc.constantFrom(...agentCategories, 'AI-Assistant', 'made-up', 'another');
	const agent = fc.record(
		{
			token: fc.constantFrom('GPTBot', 'gptbot', 'OtherBot', 'Some', 'Body', 'AIWebIndex', 'ad-network'),
			name: fc.constantFrom('GPTBot', 'Some', 'Body', 'ad-network', 'Ad-Network', 'trainer'),
			otherNames: fc.subarray(['GPTBot', 'Some', 'ad-network']),
			categories: fc.array(category, { maxLength: 3 }),
		},
		{ requiredKeys: ['token'] },
	);
	let alike = 0;
	fc.assert(
		fc.property(
			arbitrary.config,
			agent,
			agent,
			fc.array(arbitrary.path, { minLength: 1 }),
			(file, one, other, paths) => {
				const policies = policiesOf(termsOf(file), origin);
				const keyOf = termsKeyOf(policies);
				const [first, second] = [keyOf(one), keyOf(other)];
				const [terms, others] = [preparePolicies(policies, first.agent), preparePolicies(policies, second.agent)];
				// What is decided, and by what; of several lines that say the same, any may be named first.
				const plain = preparePolicies(policies, one);
				expect(values(terms.effective)).toEqual(values(plain.effective));
				for (const path of paths) {
					expect(terms.decide('read', origin + path).effect).toBe(plain.decide('read', origin + path).effect);
				}
				if (first.key !== second.key) return;
				alike++;
				expect(terms.effective).toEqual(others.effective);
				expect(terms.crawlDelay).toEqual(others.crawlDelay);
				for (const path of paths) {
					for (const use of ['crawl', 'read', 'summarise', 'train', 'compete', 'store'] as const) {
						expect(terms.decide(use, origin + path)).toEqual(others.decide(use, origin + path));
					}
				}
			},
		),
		{ numRuns: 1000 },
	);
	expect(alike).toBeGreaterThan(30);
}, 60_000);

it('however many names somebody invents, the policies are prepared once for all of them', () => {
	const file = checkConfig({
		origin,
		paths: { disallow: ['/private'], agents: { GPTBot: { disallow: ['/'] } } },
		policy: { read: 'yes', train: 'no' },
		categories: { 'ad-network': { crawl: 'no' } },
	});
	let prepared = 0;
	const policyVersion = createPolicyVersion(texts, policiesOf(termsOf(file), origin), (policies, agent) => {
		prepared++;
		return prepareAgentTerms(policies, agent);
	});
	for (let at = 0; at < 5000; at++) {
		policyVersion.for({ token: `Bot${at}`, categories: [`role${at}`] });
		policyVersion.for({ token: `Bot${at}` });
		policyVersion.for({ token: 'AIWebIndex', name: `Bot${at}`, categories: ['made-up', `role${at}`] });
	}
	// Those without a word about what they are for, and those of a kind that nobody knows.
	expect(prepared).toBe(2);
	const denied = (token: string, ...categories: string[]) =>
		!policyVersion.for({ token, categories }).decideFetch('read', `${origin}/a`).permitted;
	expect([denied('Bot1'), denied('GPTBot'), denied('Bot2', 'ad-network'), denied('Bot3', 'x')]).toEqual([
		false,
		true,
		true,
		false,
	]);
	expect(prepared).toBe(4);
});
