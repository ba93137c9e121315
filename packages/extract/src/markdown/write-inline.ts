import { codeSpan, escapeLineStart, escapeText, linkTarget, mayNeedEscape } from './escape.ts';
import type { Inline, Mark } from './model.ts';

export interface InlineStyle {
	/** The document holds formulas, so `$` in text is escaped. */
	readonly math: boolean;
	/** Output for a forced line break: `\\\n` in a paragraph, a space in a heading, `<br>` in a table. */
	readonly lineBreak: string;
}

const delimiters: Partial<Record<Mark['name'], string>> = { strong: '**', em: '*', del: '~~' };
const tags: Record<Exclude<Mark['name'], 'link'>, string> = {
	strong: 'strong',
	em: 'em',
	del: 'del',
	sup: 'sup',
	sub: 'sub',
};

/** Writes a tidy run as Markdown. */
export function writeInline(run: readonly Inline[], style: InlineStyle): string {
	const isPlain = !run.some(isDelimited);
	const items = isPlain ? run : movePunctuationOut(run);
	const html = isPlain ? none : marksNeedingTags(items);
	// Pieces and the last character apart: looking at the end of a growing string would copy it each time.
	const pieces: string[] = [];
	let before = '\n';
	let link = 0;
	for (let i = 0; i < items.length; i++) {
		const item = items[i]!;
		let piece: string;
		if (isAutolink(items, i)) {
			piece = `<${(item as Extract<Inline, { kind: 'open' }>).mark.url}>`;
			i += 2;
		} else if (item.kind === 'text') {
			piece = item.text;
			if (mayNeedEscape(piece)) {
				const after = firstOutput(items[i + 1], html);
				const beyond = firstOutput(behindMarks(items, i + 1), html);
				piece = escapeText(piece, { before, after, beyond, inLink: link > 0, math: style.math });
			}
		} else {
			piece = written(item, html, style);
			if (item.kind === 'open' && item.mark.name === 'link') link++;
			if (item.kind === 'close' && item.mark.name === 'link') link--;
		}
		pieces.push(piece);
		before = piece.at(-1) ?? before;
	}
	const out = pieces.length === 1 ? pieces[0]! : pieces.join('');
	if (!style.lineBreak.endsWith('\n')) return out;
	return out.includes('\n') ? out.split('\n').map(escapeLineStart).join('\n') : escapeLineStart(out);
}

const none: ReadonlySet<Inline> = new Set();

/** A mark that is not a link: what stands beside it decides how it is written. */
const isDelimited = (item: Inline): boolean => item.kind === 'open' && delimiters[item.mark.name] !== undefined;

/** The next item after closing marks, at most seven items away. */
function behindMarks(items: readonly Inline[], from: number): Inline | undefined {
	let at = from;
	while (at < from + 7 && items[at]?.kind === 'close') at++;
	return at < from + 7 ? items[at] : undefined;
}

function written(item: Exclude<Inline, { kind: 'text' }>, html: ReadonlySet<Inline>, style: InlineStyle): string {
	switch (item.kind) {
		case 'code':
			return codeSpan(item.text);
		case 'math':
			return `$${item.tex}$`;
		case 'image':
			return `![${escapeText(item.alt, { before: ' ', after: ' ', beyond: ' ', inLink: true, math: style.math })}](${linkTarget(item.url)})`;
		case 'note':
			return `[^${item.label}]`;
		case 'anchor':
			return `<a id="${item.id}"></a>`;
		case 'break':
			return style.lineBreak;
		default:
			return mark(item, html);
	}
}

function mark(item: Extract<Inline, { kind: 'open' | 'close' }>, html: ReadonlySet<Inline>): string {
	const { name, url } = item.mark;
	if (name === 'link') return item.kind === 'open' ? '[' : `](${linkTarget(url ?? '')})`;
	const delimiter = delimiters[name];
	if (delimiter !== undefined && !html.has(item)) return delimiter;
	return item.kind === 'open' ? `<${tags[name]}>` : `</${tags[name]}>`;
}

function isAutolink(items: readonly Inline[], at: number): boolean {
	const [open, text, close] = [items[at], items[at + 1], items[at + 2]];
	if (open?.kind !== 'open' || text?.kind !== 'text' || close?.kind !== 'close' || close.mark.name !== 'link')
		return false;
	return text.text === open.mark.url && /^https?:[^\s<>]+$/.test(text.text);
}

/** The character that an item begins with when written. */
function firstOutput(item: Inline | undefined, html: ReadonlySet<Inline>): string {
	switch (item?.kind) {
		case undefined:
		case 'break':
			return '\n';
		case 'text':
			return item.text[0] ?? '\n';
		case 'code':
			return '`';
		case 'math':
			return '$';
		case 'image':
			return '!';
		case 'note':
			return '[';
		case 'anchor':
			return '<';
		case 'open':
			return isDelimiter(item, html) ? delimiters[item.mark.name]![0]! : item.mark.name === 'link' ? '[' : '<';
		case 'close':
			return isDelimiter(item, html) ? delimiters[item.mark.name]![0]! : item.mark.name === 'link' ? ']' : '<';
	}
}

function isDelimiter(item: Inline, html: ReadonlySet<Inline>): boolean {
	return (item.kind === 'open' || item.kind === 'close') && delimiters[item.mark.name] !== undefined && !html.has(item);
}

/** `**Note:**text` does not close (CommonMark §6.2, right-flanking); `**Note**:text` does. */
function movePunctuationOut(run: readonly Inline[]): Inline[] {
	const items = [...run];
	for (let i = 1; i < items.length; i++) {
		const close = items[i]!;
		const before = items[i - 1]!;
		const after = items[i + 1];
		if (close.kind !== 'close' || delimiters[close.mark.name] === undefined) continue;
		if (before.kind !== 'text' || after?.kind !== 'text' || !/^[\p{L}\p{N}]/u.test(after.text)) continue;
		const punctuation = /^(.*[^\s\p{P}\p{S}])([.,:;!?…，。：；！？、]+)$/su.exec(before.text);
		if (punctuation === null) continue;
		items[i - 1] = { kind: 'text', text: punctuation[1]! };
		items[i + 1] = { kind: 'text', text: punctuation[2]! + after.text };
	}
	return items;
}

/**
 * The marks that `*` and `~` cannot write here, because the flanking rules of CommonMark §6.2 would not let them
 * open or close, or because runs of `*` would touch: they are written as tags.
 */
function marksNeedingTags(items: readonly Inline[]): ReadonlySet<Inline> {
	const html = new Set<Inline>();
	const open: { at: number; nested: boolean }[] = [];
	for (let i = 0; i < items.length; i++) {
		const item = items[i]!;
		if (item.kind === 'open' && delimiters[item.mark.name] !== undefined) {
			for (const outer of open) outer.nested = true;
			open.push({ at: i, nested: open.length > 0 });
		} else if (item.kind === 'close' && delimiters[item.mark.name] !== undefined) {
			const { at, nested } = open.pop()!;
			if (!canDelimit(items, at, i, nested, html)) html.add(items[at]!).add(item);
		}
	}
	return html;
}

function canDelimit(
	items: readonly Inline[],
	open: number,
	close: number,
	nested: boolean,
	html: ReadonlySet<Inline>,
): boolean {
	const previous = items[open - 1];
	if (previous?.kind === 'close' && delimiters[previous.mark.name] !== undefined) return false;
	const outside = edge(items, open, -1, html);
	const inside = edge(items, open, 1, html);
	const insideEnd = edge(items, close, -1, html);
	const outsideEnd = edge(items, close, 1, html);
	if (!flanks(outside, inside) || !flanks(outsideEnd, insideEnd)) return false;
	// Inside a word a run both opens and closes, and then the "multiple of three" rule may part nested marks.
	return !nested || !(flanks(inside, outside) || flanks(insideEnd, outsideEnd));
}

/** The character beside the delimiter at `start`, past other `*` that belong to the same run. */
function edge(items: readonly Inline[], start: number, step: 1 | -1, html: ReadonlySet<Inline>): string {
	const from = items[start]!;
	for (let i = start + step; ; i += step) {
		const item = items[i];
		if (item === undefined || item.kind === 'break') return '\n';
		if (item.kind === 'text')
			return step === 1 ? String.fromCodePoint(item.text.codePointAt(0)!) : lastCharacter(item.text);
		if (item.kind !== from.kind || html.has(item) || !isStar(item) || !isStar(from)) return '<';
	}
}

function isStar(item: Inline): boolean {
	return (item.kind === 'open' || item.kind === 'close') && (item.mark.name === 'strong' || item.mark.name === 'em');
}

function lastCharacter(text: string): string {
	const last = text.codePointAt(text.length - 2);
	return text.length > 1 && last !== undefined && last > 0xffff ? String.fromCodePoint(last) : text.at(-1)!;
}

/** Left-flanking with `outside` before and `inside` after; right-flanking when read the other way round. */
function flanks(outside: string, inside: string): boolean {
	if (/\s/u.test(inside)) return false;
	return !maybePunctuation.test(inside) || /\s/u.test(outside) || surePunctuation.test(outside);
}

// Parsers differ on symbols, and some look at half an emoji: each is taken as what would be worse.
const maybePunctuation = /[\p{P}\p{S}]/u;
const surePunctuation = /^(?:[!-/:-@[-`{-~]|\p{P})$/u;
