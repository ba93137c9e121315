import type { Element, Node, Text } from '../../dom/node.ts';
import type { BlockBuilder } from './block-builder.ts';

/** A letter of a script that separates words by blanks, or a digit. */
const end =
	/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Hangul}\p{N}]{2}$|\d[€$£¥%]$/u;
/** Two letters or digits of a script that puts spaces between words, or an amount. */
const start =
	/^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Hangul}\p{N}]{2}|^[€$£¥]\s?\d/u;
/** Rows with more elements are not searched as a whole for each of them. */
const maxRow = 200;

/**
 * Puts a blank between two elements of a row that only the style separates: `<span>1h 20m</span><span>Drama</span>`.
 * All text of such a row is in elements, and both sides are words: a single letter in a span belongs to its word.
 *
 * @param at index of the second element among the children of `parent`
 */
export function partPieces(builder: BlockBuilder, parent: Element, at: number): void {
	const before = parent.children[at - 1]!;
	if (before.kind === 'text' || !pieces.has(before.tag)) return;
	const left = edge(before, -1);
	const right = edge(parent.children[at]!, 0);
	if (left === undefined || right === undefined) return;
	if (!end.test(left.data) || !start.test(right.data) || !isRow(parent)) return;
	left.data += ' ';
	builder.addSpace();
}

const pieces: ReadonlySet<string> = new Set(['span', 'a', 'small', 'time', 'label']);

/** The first or last text in a node, if nothing else comes before or after it. */
function edge(node: Node, place: 0 | -1): Text | undefined {
	let at: Node | undefined = node;
	while (at?.kind === 'element') {
		if (at !== node && at.tag !== 'span' && at.tag !== 'a' && at.tag !== 'b' && at.tag !== 'strong') return undefined;
		at = at.children.at(place);
	}
	return at;
}

function isRow({ children }: Element): boolean {
	if (children.length > maxRow) return false;
	return children.every((child) => child.kind === 'element' || child.data.trim() === '');
}
