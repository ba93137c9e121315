import { agentCategories } from '@wayleave/protocols/identity';
import { directive, type PolicyName, permissionNames } from '@wayleave/protocols/robots2';
import fc from 'fast-check';
import { checkConfig } from '../../config/load.ts';
import type { Config } from '../../config/schema.ts';

/** Few paths, so that rules meet. */
export const pattern = fc.constantFrom(
	'/',
	'/a',
	'/a/',
	'/a/b',
	'/a*',
	'/*.html$',
	'/b',
	'/b$',
	'/a/b/c',
	'/trap',
	'/t*p',
);
export const path = fc.constantFrom(
	'/',
	'/a',
	'/a/',
	'/a/b',
	'/a/b/c',
	'/b',
	'/bc',
	'/a/x.html',
	'/x.html',
	'/trap',
	'/tip',
);
export const token = fc.constantFrom('GPTBot', 'gptbot', 'OtherBot', 'Somebody');

const lists = fc.record(
	{ allow: fc.array(pattern, { maxLength: 3 }), disallow: fc.array(pattern, { maxLength: 3 }) },
	{ requiredKeys: [] },
);
const agents = fc.dictionary(fc.constantFrom('GPTBot', 'OtherBot'), lists, { maxKeys: 2 });
const permission = (name: PolicyName) => fc.constantFrom(...directive(name).values!);
const policy = fc.record(Object.fromEntries(permissionNames.map((name) => [name, permission(name)])), {
	requiredKeys: [],
});

/** Policy files of every shape; half of them say the same to all categories, so that the other vocabularies speak. */
export const config: fc.Arbitrary<Config> = fc
	.record({
		paths: fc.record({
			allow: fc.array(pattern, { maxLength: 3 }),
			disallow: fc.array(pattern, { maxLength: 3 }),
			agents,
		}),
		policy,
		categories: fc.oneof(fc.constant({}), fc.dictionary(fc.constantFrom(...agentCategories), policy, { maxKeys: 3 })),
		honeypots: fc.subarray(['/trap', '/tip']),
		rate: fc.record({ default: fc.integer({ min: 1, max: 200 }) }, { requiredKeys: [] }),
	})
	.map((written) => checkConfig({ origin: 'https://example.com', ...written }));
