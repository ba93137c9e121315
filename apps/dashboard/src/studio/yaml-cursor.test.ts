import { describe, expect, it } from 'vitest';
import { configJsonSchema } from '../../../../packages/gateway/src/config/schema.ts';
import { diffLines, folded } from '../ui/diff-lines.ts';
import { suggestionsAt } from './suggestions.ts';
import { cursorIn } from './yaml-cursor.ts';
import { tokensOf } from './yaml-tokens.ts';

/** The cursor at `|`. */
const at = (text: string) => cursorIn(text.replace('|', ''), text.indexOf('|'));

describe('the place of the cursor', () => {
	it.each([
		['|', [], 'key', ''],
		['po|', [], 'key', 'po'],
		['policy:\n  tr|', ['policy'], 'key', 'tr'],
		['policy:\n  train: n|', ['policy', 'train'], 'value', 'n'],
		['policy:\n  train: no\n|', [], 'key', ''],
		['policy:\n  train: no\n  |', ['policy'], 'key', ''],
		['policy:\n  train: no\nra|', [], 'key', 'ra'],
		['policy: { train: no, sto|', ['policy'], 'key', 'sto'],
		['policy: { train: |', ['policy', 'train'], 'value', ''],
		['policy: { train: "n|', ['policy', 'train'], 'value', 'n'],
		['paths: { agents: { GPTBot: { disallow: [/a, /|', ['paths', 'agents', 'GPTBot', 'disallow', '[]'], 'value', '/'],
		['paths:\n  disallow: [\n    /a,\n    /b|', ['paths', 'disallow', '[]'], 'value', '/b'],
		['paths:\n  disallow:\n    - /a|', ['paths', 'disallow', '[]'], 'value', '/a'],
		['identity:\n  agents:\n  - token: A\n    op|', ['identity', 'agents', '[]'], 'key', 'op'],
		[
			'identity:\n  agents:\n    - token: A\n      operator: X|',
			['identity', 'agents', '[]', 'operator'],
			'value',
			'X',
		],
		['identity:\n  agents:\n    - token: A\nra|', [], 'key', 'ra'],
		['"paths":\n  a|', ['paths'], 'key', 'a'],
		['a: 1 # no\npolicy: # yes\n  t|', ['policy'], 'key', 't'],
		['origin: https://a.example|', ['origin'], 'value', 'https://a.example'],
	] as const)('%j', (text, path, kind, typed) => {
		expect(at(text)).toEqual({ path, kind, typed });
	});

	it.each(['# po|', 'policy: # tr|', 'policy: { # tr|'])('%j is in a comment', (text) => {
		expect(at(text)).toBeUndefined();
	});

	it('nothing that is typed makes it fail', () => {
		const text = 'a: [ {"x: \'y, - ]} : #\n\t- - -\n:\n';
		for (let end = 0; end <= text.length; end++) expect(() => cursorIn(text, end)).not.toThrow();
	});
});

describe('suggestions', () => {
	const schema = configJsonSchema();
	const words = (text: string) =>
		suggestionsAt(text.replace('|', ''), text.indexOf('|'), schema).list.map(({ text: word }) => word);
	it.each([
		['po|', 'policy'],
		['policy:\n  |', 'train'],
		['policy:\n  quote: |', 'short-only'],
		['publish: { llmsTxt: |', 'false'],
		['categories:\n  |', 'search-indexer'],
		['categories: { data-harvester: { train: |', 'ask'],
		['paths:\n  agents:\n    Byt|', 'Bytespider'],
		['ask:\n  train:\n    agents: [GPT|', 'GPTBot'],
		['ask:\n  train:\n    - agents:\n        - GPT|', 'GPTBot'],
		['identity:\n  agents:\n    - category: |', 'data-harvester'],
		['identity:\n  agents:\n    - operator: Open|', 'OpenAI'],
	])('%j: %s', (text, word) => {
		expect(words(text)).toContain(word);
	});

	it('what begins with the letters comes first, and nothing is suggested for what is complete', () => {
		expect(words('policy:\n  store|')).toEqual([]);
		expect(words('paths:\n  agents:\n    claude|')[0]).toMatch(/^Claude/);
		expect(words('unheard:\n  of: |')).toEqual([]);
	});
});

it('two texts side by side, equal lines far away folded', () => {
	const rows = diffLines('a\nb\nc\n', 'a\nB\nc\nd\n');
	expect(rows.map(({ kind, before, after }) => [kind, before?.line, after?.line])).toEqual([
		['same', 1, 1],
		['changed', 2, 2],
		['same', 3, 3],
		['added', undefined, 4],
	]);
	const long = Array.from({ length: 20 }, (_, line) => `${line}`).join('\n');
	expect(folded(diffLines(long, `${long}\nnew`)).map(({ kind }) => kind)).toEqual([
		'gap',
		'same',
		'same',
		'same',
		'added',
	]);
	expect(folded(diffLines(long, long))).toEqual([{ kind: 'gap', lines: 20 }]);
});

it('the coloured parts of a line are the whole line', () => {
	for (const line of [
		'a: { b: [1, "x # y"] } # c',
		'  - https://a.example:8080/x',
		"'q': 'it''s'",
		'\t#',
		':',
		'"open',
		'',
	])
		expect(
			tokensOf(line)
				.map(({ text }) => text)
				.join(''),
		).toBe(line);
	expect(tokensOf('a: b # c').map(({ kind }) => kind)).toEqual(['key', 'mark', 'mark', 'word', 'comment']);
});
