import { between } from './lines.ts';
import type { Inline, Line, Segment } from './types.ts';

/** Words of a file as it writes them inside lines; they tell which hyphens at ends of lines belong to the word. */
export interface Words {
	/** Words with a hyphen, in lower case. */
	readonly hyphened: ReadonlySet<string>;
	readonly plain: ReadonlySet<string>;
	/** Whether lines end inside of words: else a hyphen at the end of a line belongs to the word. */
	readonly divides: boolean;
}

const word = /[\p{L}\p{M}\p{N}]+(?:[-\u2010][\p{L}\p{M}\p{N}]+)*/gu;

export function wordsOf(texts: Iterable<string>, divides = true): Words {
	const [hyphened, plain] = [new Set<string>(), new Set<string>()];
	for (const text of texts)
		for (const [found] of text.matchAll(word)) {
			const lower = found.toLowerCase().replaceAll('\u2010', '-');
			(lower.includes('-') ? hyphened : plain).add(lower);
		}
	return { hyphened, plain, divides };
}

/** Scripts that do not put spaces between words. */
const unspaced = /[\u2e80-\u303f\u3040-\u30ff\u3100-\u312f\u3400-\u9fff\uf900-\ufaff\uff00-\uff60\u{20000}-\u{3ffff}]/u;

/** Lines as one text: hyphens at their ends go where they only divide a word. */
export function joinLines(lines: readonly Line[], words: Words): Inline[] {
	const content: Inline[] = [];
	lines.forEach(({ segments }, at) => {
		if (at > 0) joinEnd(content, segments[0]?.text ?? '', words);
		segments.forEach((segment, place) => {
			const space = place > 0 ? between(segments[place - 1]!, segment) : '';
			push(content, segment, space);
		});
	});
	return content;
}

function push(content: Inline[], segment: Segment, space: string): void {
	const piece = inlineOf(segment);
	const last = content.at(-1);
	if (last === undefined || !('text' in last)) {
		content.push(piece);
		return;
	}
	if (sameStyle(last, piece)) content[content.length - 1] = { ...last, text: last.text + space + piece.text };
	else {
		// The space stands outside of code and links.
		if (space !== '') content.push({ text: ' ' });
		content.push(piece);
	}
}

type Text = Extract<Inline, { readonly text: string }>;

const sameStyle = (a: Text, b: Text): boolean =>
	a.bold === b.bold &&
	a.italic === b.italic &&
	a.code === b.code &&
	a.shift === b.shift &&
	a.href === b.href &&
	a.note === b.note;

export function inlineOf({ text, typeface, href, shift }: Segment): Text {
	return {
		text,
		...(typeface.bold && { bold: true }),
		...(typeface.italic && { italic: true }),
		...(typeface.mono && { code: true }),
		...(shift !== undefined && { shift }),
		...(href !== undefined && { href }),
	};
}

/** Prepares the end of a text for what follows on the next line. */
export function joinEnd(content: Inline[], next: string, words: Words): void {
	const at = content.findLastIndex((piece) => 'text' in piece);
	const last = content[at];
	if (last === undefined || !('text' in last)) return;
	content[at] = { ...last, text: ended(last, next, words) };
}

function ended({ text: raw, href }: Text, next: string, words: Words): string {
	const text = raw.replace(/\s+$/u, '');
	if (text.endsWith('\u00ad')) return text.slice(0, -1);
	const [, head] = /([\p{L}\p{M}\p{N}]+(?:[-\u2010][\p{L}\p{M}\p{N}]+)*)[-\u2010]$/u.exec(text) ?? [];
	const [tail] = /^[\p{L}\p{M}\p{N}]+(?:[-\u2010][\p{L}\p{M}\p{N}]+)*/u.exec(next) ?? [];
	if (/(?:https?:\/\/|www\.)\S*-$/i.test(text)) return text;
	if (head !== undefined && tail !== undefined) return keepsHyphen(head, tail, words) ? text : text.slice(0, -1);
	if (unspaced.test(text.at(-1) ?? '') && unspaced.test([...next][0] ?? '')) return text;
	if (endsHangulWord(text, next, words)) return text;
	// A long address that goes on.
	const isAddress = /(?:https?:\/\/|www\.)\S*[/=&?._%-]$/i.test(text) && /^[\w/=&?.%-]/.test(next);
	return isAddress && href !== undefined ? text : `${text} `;
}

/**
 * Whether a line ends inside of a Korean word: lines may end after any syllable, and nothing shows it but that the file
 * has the whole word elsewhere, and not both of its parts.
 */
function endsHangulWord(text: string, next: string, { plain }: Words): boolean {
	const [head] = /[\uac00-\ud7a3]+$/u.exec(text) ?? [];
	const [tail] = /^[\uac00-\ud7a3]+/u.exec(next) ?? [];
	if (head === undefined || tail === undefined) return false;
	return plain.has(head + tail) && !(plain.has(head) && plain.has(tail));
}

function keepsHyphen(head: string, tail: string, { hyphened, plain, divides }: Words): boolean {
	const joined = `${head}${tail}`.toLowerCase();
	if (plain.has(joined)) return false;
	if (hyphened.has(`${head}-${tail}`.toLowerCase())) return true;
	if (!divides && [head, tail].every((part) => plain.has(part.toLowerCase()))) return true;
	return !/^\p{Ll}/u.test(tail) || /\p{N}$/u.test(head);
}

export function plainText(content: readonly Inline[]): string {
	return content.map((piece) => ('text' in piece ? piece.text : '')).join('');
}
