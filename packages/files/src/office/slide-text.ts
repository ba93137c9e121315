import type { Block, Inline } from '../pdf/types.ts';
import { followable, prefixed, type Relation } from './ooxml.ts';
import { allOf, elementsOf, textIn, within, type XmlElement } from './xml.ts';

/** The kind of paragraphs of a shape that have no marks of their own. */
export type TextRole = 'title' | 'list' | 'text';

export type Relations = ReadonlyMap<string, Relation>;

interface Line {
	readonly content: readonly Inline[];
	readonly level: number;
	/** Undefined: no list. */
	readonly bullet: 'bullet' | 'number' | undefined;
	readonly start: number;
	/** The text, if all of it has one width. */
	readonly code: string | undefined;
}

const mono = /mono|courier|consol|menlo|typewriter/i;
/** Levels of a list (ECMA-376 part 1 §20.1.10.72). */
const maxLevel = 8;

/** The paragraphs of a text body (ECMA-376 part 1 §21.1.2), as lists where they have bullets. */
export function textBlocks(body: XmlElement | undefined, role: TextRole, relations: Relations): Block[] {
	const lines = elementsOf(body, 'p').map((paragraph) => lineOf(paragraph, role, relations));
	const blocks: Block[] = [];
	for (let at = 0; at < lines.length; ) {
		const line = lines[at]!;
		let end = at + 1;
		if (line.code !== undefined) {
			while (lines[end]?.code !== undefined) end++;
			const text = lines.slice(at, end).map(({ code }) => code);
			blocks.push({ kind: 'code', text: text.join('\n').trimEnd() });
		} else if (line.bullet !== undefined) {
			while (lines[end]?.bullet !== undefined) end++;
			blocks.push(...nested(lines.slice(at, end).filter(hasText)));
		} else if (hasText(line)) blocks.push({ kind: 'paragraph', content: line.content });
		at = end;
	}
	return blocks;
}

const hasText = ({ content }: Line): boolean => content.some((piece) => 'text' in piece && piece.text.trim() !== '');

/** The text of all paragraphs in one line. */
export function titleContent(body: XmlElement | undefined, relations: Relations): Inline[] {
	const lines = elementsOf(body, 'p').map((paragraph) => lineOf(paragraph, 'title', relations));
	return lines.filter(hasText).flatMap(({ content }, at) => [...(at === 0 ? [] : [{ text: ' ' }]), ...content]);
}

/** Lists in lists, by the levels of lines. */
function nested(lines: readonly Line[]): Block[] {
	const blocks: Block[] = [];
	for (let at = 0; at < lines.length; ) {
		const { level, bullet, start } = lines[at]!;
		const items: Block[][] = [];
		while (
			at < lines.length &&
			lines[at]!.level >= level &&
			(lines[at]!.level > level || lines[at]!.bullet === bullet)
		) {
			const line = lines[at]!;
			if (line.level === level) {
				items.push([{ kind: 'paragraph', content: line.content }]);
				at++;
				continue;
			}
			const from = at;
			while (at < lines.length && lines[at]!.level > level) at++;
			items.at(-1)?.push(...nested(lines.slice(from, at)));
		}
		blocks.push({ kind: 'list', ordered: bullet === 'number', start, items });
	}
	return blocks;
}

function lineOf(paragraph: XmlElement, role: TextRole, relations: Relations): Line {
	const properties = within(paragraph, 'pPr');
	const names = elementsOf(properties).map(({ name }) => name);
	const number = within(properties, 'buAutoNum');
	const marked = names.includes('buChar') || names.includes('buBlip') || (role === 'list' && !names.includes('buNone'));
	const content = elementsOf(paragraph).flatMap((run) => runInline(run, role, relations));
	const isCode =
		content.some(isText) && content.every((piece) => !isText(piece) || ('code' in piece && piece.code === true));
	return {
		content,
		level: Math.min(Number(properties?.attributes.lvl ?? 0) || 0, maxLevel),
		bullet: number === undefined ? (marked ? 'bullet' : undefined) : 'number',
		start: Number(number?.attributes.startAt ?? 1) || 1,
		code: isCode ? content.map((piece) => ('text' in piece ? piece.text : '')).join('') : undefined,
	};
}

const isText = (piece: Inline): boolean => 'text' in piece && piece.text.trim() !== '';

function runInline(run: XmlElement, role: TextRole, relations: Relations): Inline[] {
	if (run.name === 'br') return [{ text: '\n' }];
	// Numbers of slides and dates of today.
	if (run.name === 'fld' && /^(?:slidenum|datetime)/.test(run.attributes.type ?? '')) return [];
	if (run.name === 'AlternateContent')
		return elementsOf(within(run, 'Choice')).flatMap((each) => runInline(each, role, relations));
	// An equation.
	if (run.name === 'm') return [{ text: allOf(run, 't').map(textIn).join('') }];
	if (run.name !== 'r' && run.name !== 'fld') return [];
	const text = elementsOf(run, 't').map(textIn).join('');
	if (text === '') return [];
	const properties = within(run, 'rPr');
	const { b, i, baseline } = properties?.attributes ?? {};
	const link = within(properties, 'hlinkClick');
	const href = followable(relations.get((link && prefixed(link, 'id')) ?? '')?.target);
	const shift = Number.parseInt(baseline ?? '0', 10);
	return [
		{
			text,
			...(isOn(b) && role !== 'title' && { bold: true }),
			...(isOn(i) && role !== 'title' && { italic: true }),
			...(mono.test(within(properties, 'latin')?.attributes.typeface ?? '') && { code: true }),
			...(shift !== 0 && { shift: shift > 0 ? ('sup' as const) : ('sub' as const) }),
			...(href !== undefined && { href }),
		},
	];
}

export const isOn = (value: string | undefined): boolean => value === '1' || value === 'true' || value === 'on';
