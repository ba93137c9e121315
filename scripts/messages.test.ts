import { describe, expect, it } from 'vitest';
import { helpTexts, type Sentence, sentences, sentencesOf } from './messages.ts';

/** Wording that readers must read twice, each with its replacement. */
const awkward: readonly (readonly [pattern: RegExp, instead: string])[] = [
	[/\b(?:who(?:m)?ever|nobody|somebody)\b/i, 'name the client, worker, caller, operator or site'],
	[
		/\b(?:(?:is|are|was|were) (?:none|told)|to be had|by whom|in vain)\b/i,
		'say what happens: is not, reported, available',
	],
	[/\b(?:heed|anew)\b/i, 'follow, again'],
	[/(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|other\b)\p{L}/iu, 'is not a …'],
	[/\b(?:is|are) wanted\b|\bis meant\?/i, 'expected …; did you mean …?'],
	[/\b(?:stands?|stood)\b(?! for\b)/i, 'is, comes before, applies'],
	[/^(?:What|Whoever|That which|Where) (?!.*\?$)\p{L}+ /u, 'begin with the thing, not with a clause'],
];

/** Files whose texts are not messages: word lists for reading pages, and the line that marks our block in a robots.txt. */
const exempt =
	/^packages\/(?:extract\/src\/(?:select|dom|metadata\/(?:dates|published))|gateway\/src\/terms\/marks\.ts)/;

const complaints = (text: string): string[] =>
	awkward.flatMap(([pattern, instead]) => {
		const found = pattern.exec(text.replace(/‹[^‹›]*›/g, '‹›'));
		return found === null ? [] : [`"${found[0]}": ${instead}`];
	});

const faults = (found: readonly Sentence[]): string[] =>
	found
		.filter(({ file }) => !exempt.test(file))
		.flatMap(({ file, line, text }) => complaints(text).map((each) => `${file}:${line}: ${each} in: ${text}`));

describe('every sentence that a user can see is plain', () => {
	it('in help texts', async () => {
		const texts = await helpTexts();
		expect(texts.length).toBeGreaterThan(30);
		expect(
			texts.flatMap(({ command, text }) =>
				text.split('\n').flatMap((line) => complaints(line.trim()).map((each) => `${command}: ${each} in: ${line}`)),
			),
		).toEqual([]);
	});

	it('in messages', () => {
		const found = sentences();
		expect(found.length).toBeGreaterThan(1500);
		expect(faults(found)).toEqual([]);
	});

	it.each([
		'nobody is denied',
		'the caller is told why',
		'this is no HTML page',
		'a number is wanted here',
		'something stands before the declaration',
		'What the site says of its uses',
		'the file is written anew',
	])('and this one would not: %s', (text) => {
		expect(faults(sentencesOf('a.ts', `throw new Error('${text}')`))).not.toEqual([]);
	});

	it.each(['there is no route to the host', 'the page is no longer listed', 'What is the URL of the site?'])(
		'and this one may: %s',
		(text) => {
			expect(complaints(text)).toEqual([]);
		},
	);

	it('leaves out queries, and reads the values put into them', () => {
		const source = `sql\`select one from two where \${sql.join(['this is a sentence'])}\``;
		expect(sentencesOf('a.ts', source).map(({ text }) => text)).toEqual(['this is a sentence']);
	});
});
