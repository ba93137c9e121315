import { agentCategories } from '@wayleave/protocols/identity';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { parseConfig } from '../config/load.ts';
import { prepareAgentTerms } from '../policy/agent-terms.ts';
import { policiesOf, termsOf } from '../terms/terms.ts';
import * as arbitrary from '../terms/testing/configs.ts';
import { spliceText } from './splice-text.ts';
import { type Access, type Subject, switchAccess } from './switch-access.ts';

const text = `# Terms of the harbour.   Written by hand.
origin:   https://harbour.example   # our address


paths:
    disallow: [ '/admin' ,"/x"]   # staff only
    agents:
        # They came by night.
        CCBot: { disallow: ["/"] }
policy: {crawl: yes,   read: yes, train: no} # as agreed
categories:
    data-harvester: { train: no }   # see minutes
`;

const change = (subject: Subject, access: Access, from = text, paths?: string[]) =>
	switchAccess(from, { subject, access, ...(paths && { paths }) }, []).text;
/** Lines that differ. */
const changedLines = (before: string, after: string) => after.split('\n').filter((line) => !before.includes(line));

describe('one switch edits the policy file', () => {
	it('blocks an agent with two new lines; every other byte stays', () => {
		const after = change({ kind: 'agent', name: 'Bytespider' }, 'block');
		expect(changedLines(text, after)).toEqual(['        Bytespider:', '            disallow: ["/"]']);
		expect(after.replace(/ +Bytespider:\n.+\n/, '')).toBe(text);
		expect(parseConfig(after).paths.agents?.Bytespider).toEqual({ disallow: ['/'] });
	});

	it('allows it again: the text is the one before', () => {
		const blocked = change({ kind: 'agent', name: 'Bytespider' }, 'block');
		expect(change({ kind: 'agent', name: 'bytespider' }, 'allow', blocked)).toBe(text);
	});

	it('keeps the comment on an agent that is allowed again', () => {
		const after = change({ kind: 'agent', name: 'CCBot' }, 'allow');
		expect(after).toContain('# They came by night.');
		expect(parseConfig(after).paths.agents?.CCBot).toEqual({});
		expect(changedLines(text, after)).toHaveLength(1);
	});

	it('limits an agent to paths, and an operator’s agents all alike', () => {
		const after = change({ kind: 'operator', name: 'OpenAI' }, 'limit', text, ['/blog', '/docs']);
		const { agents = {} } = parseConfig(after).paths;
		for (const name of ['GPTBot', 'OAI-SearchBot', 'ChatGPT-User'])
			expect(agents[name]).toEqual({ allow: ['/blog', '/docs'], disallow: ['/'] });
		expect(agents.CCBot).toEqual({ disallow: ['/'] });
		expect(after).toContain('disallow: [ \'/admin\' ,"/x"]   # staff only');
	});

	it('blocks, limits and allows a category', () => {
		const category = { kind: 'category', name: 'data-harvester' } as const;
		const blocked = change(category, 'block');
		expect(parseConfig(blocked).categories['data-harvester']).toEqual({ train: 'no', crawl: 'no' });
		expect(blocked).toContain('# see minutes');
		const limited = change(category, 'limit', blocked);
		expect(parseConfig(limited).categories['data-harvester']).toEqual({
			train: 'no',
			crawl: 'yes',
			read: 'yes',
			store: 'session-only',
			derivative: 'no',
		});
		const allowed = change(category, 'allow', limited);
		expect(parseConfig(allowed).categories['data-harvester']).toEqual({});
		expect(allowed).toContain('# see minutes');
	});

	it.each([
		[{ kind: 'agent', name: 'Mozilla' }, /Mozilla identifies no agent/],
		[{ kind: 'agent', name: 'a: {b' }, /identifies no agent/],
		[{ kind: 'operator', name: 'Nobody & Sons' }, /no agent of Nobody & Sons is known/],
		[{ kind: 'category', name: 'robots' }, /robots is not a category: use one of/],
	] as const)('refuses %j with a sentence', (subject, sentence) => {
		expect(() => change(subject, 'block')).toThrow(sentence);
	});

	it('says what is missing where the text or the paths are', () => {
		expect(() => change({ kind: 'agent', name: 'GPTBot' }, 'limit')).toThrow(/name at least one path/);
		expect(() => change({ kind: 'agent', name: 'GPTBot' }, 'block', 'a: [')).toThrow(/not valid YAML/);
		expect(() => change({ kind: 'agent', name: 'GPTBot' }, 'block', '- a')).toThrow(/holds no keys/);
	});

	it('holds for policy files of every shape: the subject has its access, and no other agent another verdict', () => {
		const names = fc.constantFrom('GPTBot', 'OtherBot', 'Newcomer');
		const kinds = fc.constantFrom<Access>('allow', 'limit', 'block');
		const style = fc.record({
			indent: fc.constantFrom(2, 3, 4),
			collectionStyle: fc.constantFrom('any', 'flow', 'block'),
		});
		const origin = 'https://example.com';
		const verdictsOf = (yaml: string) => {
			const policies = policiesOf(termsOf(parseConfig(yaml)), origin);
			return (token: string, paths: readonly string[]) => {
				const terms = prepareAgentTerms(policies, { token });
				return paths.map((path) => terms.decideFetch('crawl', origin + path).permitted);
			};
		};
		fc.assert(
			fc.property(arbitrary.config, names, kinds, style, (config, name, access, { indent, collectionStyle }) => {
				const { paths, policy, categories, honeypots } = config;
				const yaml = stringify(JSON.parse(JSON.stringify({ origin, paths, policy, categories, honeypots })), {
					indent,
					collectionStyle: collectionStyle as 'any',
				}).replace('paths:', '# kept\npaths:');
				const after = change({ kind: 'agent', name }, access, yaml, ['/a/b/c']);
				expect(after).toContain('# kept');
				const own = parseConfig(after).paths.agents?.[name] ?? {};
				expect(own).toEqual(
					access === 'allow' ? {} : { ...(access === 'limit' && { allow: ['/a/b/c'] }), disallow: ['/'] },
				);
				const [then, now] = [verdictsOf(yaml), verdictsOf(after)];
				if (access === 'block') expect(now(name, ['/b'])).toEqual([false]);
				for (const other of ['GPTBot', 'OtherBot', 'Somebody'])
					if (other !== name) expect(now(other, ['/a', '/b', '/a/b/c'])).toEqual(then(other, ['/a', '/b', '/a/b/c']));
				expect(change({ kind: 'agent', name }, access, after, ['/a/b/c'])).toBe(after);
			}),
			{ numRuns: 25 },
		);
	});

	it('leaves a category of each kind readable', () => {
		for (const name of agentCategories)
			for (const access of ['block', 'limit', 'allow'] as const)
				expect(() => parseConfig(change({ kind: 'category', name }, access))).not.toThrow();
	});
});

it('two authors of one text: the change of one goes into the spelling of the other', () => {
	expect(spliceText('a:  1\n\n\nb: 2\nc:   3', 'a: 1\n\nb: 2\nc: 3\n', 'a: 1\n\nnew: 0\nb: 2\nc: 3\n')).toBe(
		'a:  1\n\n\nnew: 0\nb: 2\nc:   3',
	);
	expect(spliceText('a:  1\n', 'a: 1\n', 'a: 2\n')).toBe('a: 2\n');
});
