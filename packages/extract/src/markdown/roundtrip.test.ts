import fc from 'fast-check';
import type { Nodes, Root } from 'mdast';
import { describe, expect, it } from 'vitest';
import { Addresses } from '../addresses.ts';
import { parseHtml } from '../dom/parse.ts';
import { toMarkdown } from './index.ts';
import { charactersOf, parseMarkdown } from './testing/characters.ts';

interface Piece {
	readonly text: string;
	readonly marks: readonly string[];
}

const tags: Record<string, string> = { strong: 'b', em: 'i', del: 's', code: 'code', sup: 'sup' };

const nasty = fc.stringMatching(
	/^(?:[a-c1.]|[*_~`#>+=|()!<&$:,"'\\[\]-]|[ ]|é|中|。|“|😀|&amp;|<b>|1\. |- |\* |http:\/\/a.b)*$/,
	{ size: '-1' },
);
const piece = fc.record({
	text: nasty,
	marks: fc.uniqueArray(fc.constantFrom('strong', 'em', 'del', 'code', 'sup'), { maxLength: 3 }),
});
const run = fc.array(piece, { minLength: 1, maxLength: 5 });

const escapeHtml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** Marks in the order given, code innermost. */
function htmlOf(pieces: readonly Piece[]): string {
	return pieces
		.map(({ text, marks }) => {
			const order = [...marks].sort((a, b) => Number(b === 'code') - Number(a === 'code'));
			return order.reduce((inner, mark) => `<${tags[mark]}>${inner}</${tags[mark]}>`, escapeHtml(text));
		})
		.join('');
}

/** The same characters as a browser shows them: white space collapsed and trimmed, spaces at the edge of marks free. */
const visible = (characters: readonly string[]): string[] => characters.filter((c) => !/^\s/.test(c)).map((c) => c);
const words = (characters: readonly string[]): string =>
	characters
		.map((c) => [...c][0])
		.join('')
		.replace(/\s+/g, ' ')
		.trim();

function expected(pieces: readonly Piece[]): string[] {
	return pieces.flatMap(({ text, marks }) => [...text].map((c) => `${c}:${[...marks].sort().join(',')}`));
}

/** Marks on punctuation are free: some could not be closed there, and none says anything. */
const withoutPunctuationMarks = (characters: readonly string[]): string[] =>
	characters.map((c) =>
		/^[\p{L}\p{N}\p{Emoji_Presentation}]/u.test(c)
			? c
			: c.replace(/(?<=:.*)(?:strong|em|del),?/g, '').replace(/,$/, ''),
	);

const addresses = new Addresses('https://a.test/');
const convert = (html: string): string => toMarkdown([parseHtml(html).body], { addresses });

function check(html: string, pieces: readonly Piece[], find: (root: Root) => Nodes | undefined): void {
	// Lines of nothing but signs part sections, or are left over from things that are gone.
	fc.pre(pieces.some(({ text }) => /[\p{L}\p{N}]/u.test(text)));
	const markdown = convert(html);
	const node = find(parseMarkdown(markdown));
	const actual = node === undefined ? [] : charactersOf(node);
	expect(withoutPunctuationMarks(visible(actual)), markdown).toEqual(
		withoutPunctuationMarks(visible(expected(pieces))),
	);
	expect(words(actual), markdown).toBe(words(expected(pieces)));
}

// Always the same cases; `ROUNDTRIP_RUNS=20000` looks further.
const options = { numRuns: Number(process.env.ROUNDTRIP_RUNS ?? 300), seed: Number(process.env.ROUNDTRIP_SEED ?? 1) };

describe('text and marks come back unchanged from a CommonMark parser', () => {
	it('in a paragraph', () => {
		fc.assert(
			fc.property(run, (pieces) => {
				check(`<p>${htmlOf(pieces)}</p>`, pieces, (root) => root);
			}),
			options,
		);
	});
	it('in a heading', () => {
		fc.assert(
			fc.property(run, (all) => {
				const pieces = all.map(({ text, marks }) => ({ text, marks: marks.filter((mark) => mark !== 'strong') }));
				check(`<h2>${htmlOf(pieces)}</h2>`, pieces, (root) => root);
			}),
			options,
		);
	});
	it('in the cell of a table', () => {
		fc.assert(
			fc.property(run, (pieces) => {
				check(
					`<table><tr><th>H</th><th>I</th></tr><tr><td>${htmlOf(pieces)}</td><td>x</td></tr></table>`,
					pieces,
					(root) => {
						const table = root.children[0];
						return table?.type === 'table' ? table.children[1]?.children[0] : undefined;
					},
				);
			}),
			options,
		);
	});
	it('in an item of a list inside a quote, after a line break', () => {
		fc.assert(
			fc.property(run, (pieces) => {
				fc.pre(pieces.some(({ text }) => text.trim() !== ''));
				check(
					`<blockquote><ul><li>a<br>${htmlOf(pieces)}</li></ul></blockquote>`,
					[{ text: 'a\n', marks: [] }, ...pieces],
					(root) => root,
				);
			}),
			options,
		);
	});
	it('in the text of a link', () => {
		fc.assert(
			fc.property(run, (pieces) => {
				const linked = pieces.map(({ text, marks }) => ({ text, marks: [...marks, 'link'] }));
				fc.pre(!pieces.some(({ text }) => text.includes('http')) && pieces.some(({ text }) => text.trim() !== ''));
				check(
					`<p>see <a href="/x">${htmlOf(pieces)}</a></p>`,
					[{ text: 'see ', marks: [] }, ...linked],
					(root) => root,
				);
			}),
			options,
		);
	});
});
