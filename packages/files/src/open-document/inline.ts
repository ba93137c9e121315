import { followable } from '../office/ooxml.ts';
import { elementsOf, textIn, within, type XmlElement, type XmlNode } from '../office/xml.ts';
import type { Block, Inline } from '../pdf/types.ts';
import type { OdtStyles, TextLook } from './styles.ts';

type Piece = Exclude<Inline, { readonly page: number }>;
type Marks = Omit<Piece, 'text'>;

/** Where the text of a paragraph stands. */
export interface Surroundings {
	readonly styles: OdtStyles;
	/** The properties that the text inherits from what is around it. */
	readonly look: TextLook;
	readonly marks: Marks;
	/** A colour behind the text, of a cell, a frame or the page. */
	readonly ground: boolean;
	/** Reads blocks inside of the text: those of a note, or of a frame. */
	readonly blocks: (element: XmlElement) => Block[];
	/** The text of an embedded formula; empty for other objects. */
	readonly formulaOf: (object: string) => string;
	/** Takes what stands in the text, but not in its line. */
	readonly aside: (block: Block) => void;
}

/** Elements that are not text of the document (ODF part 3 §5.5, §7, §14). */
const dropped =
	/^(?:office:annotation|office:annotation-end|text:hidden-text|text:tracked-changes|text:note-citation|text:ruby-text|text:script|office:forms|form:.*|draw:control|presentation:notes|text:(?:alphabetical|user)-index-mark.*|text:toc-mark.*)$/;

export function inlineOf(nodes: readonly XmlNode[], around: Surroundings): Inline[] {
	const found: Inline[] = [];
	for (const node of nodes) {
		if (typeof node !== 'string') found.push(...elementInline(node, around));
		else if (isSeen(around)) found.push({ ...around.marks, text: node.replace(/[ \t\r\n]+/g, ' ') });
	}
	return found;
}

function elementInline(element: XmlElement, around: Surroundings): Inline[] {
	const { name, attributes } = element;
	if (dropped.test(name) || attributes['text:is-hidden'] === 'true') return [];
	const text = (plain: string): Inline[] => (isSeen(around) ? [{ ...around.marks, text: plain }] : []);
	switch (name) {
		case 'text:s':
			return text(' '.repeat(Math.min(Number(attributes['text:c'] ?? 1) || 1, 200)));
		case 'text:tab':
			return text(' ');
		case 'text:line-break':
			return text('\n');
		case 'text:span':
			return inlineOf(element.children, withStyle(around, attributes['text:style-name']));
		case 'text:a':
			return inlineOf(element.children, withLink(around, attributes['xlink:href']));
		case 'text:note':
			return noteOf(element, around);
		case 'draw:frame': {
			const formula = around.formulaOf(within(element, 'draw:object')?.attributes['xlink:href'] ?? '');
			if (formula !== '') return text(formula);
			for (const block of frameBlocks(element, around)) around.aside(block);
			return [];
		}
		case 'draw:custom-shape':
		case 'draw:rect':
		case 'draw:ellipse':
			for (const block of frameBlocks(element, around)) around.aside(block);
			return [];
		default:
			return inlineOf(element.children, around);
	}
}

/** White text is seen on a colour. */
const isSeen = ({ look, ground }: Surroundings): boolean =>
	look.hidden !== true && look.tiny !== true && !(look.white === true && look.ground !== true && !ground);

export function withStyle(around: Surroundings, name: string | undefined): Surroundings {
	const look = { ...around.look, ...around.styles.of(name) };
	const { href, note } = around.marks;
	const marks: Marks = {
		...(href !== undefined && { href }),
		...(note !== undefined && { note }),
		...(look.bold === true && { bold: true }),
		...(look.italic === true && { italic: true }),
		...(look.mono === true && { code: true }),
		...(look.shift !== undefined && look.shift !== 'none' && { shift: look.shift }),
	};
	return { ...around, look, marks };
}

function withLink(around: Surroundings, target: string | undefined): Surroundings {
	const href = followable(target);
	return href === undefined ? around : { ...around, marks: { ...around.marks, href } };
}

function noteOf(element: XmlElement, around: Surroundings): Inline[] {
	const label = textIn(within(element, 'text:note-citation')).trim();
	const body = within(element, 'text:note-body');
	if (label === '' || body === undefined || !isSeen(around)) return [];
	const id = element.attributes['text:note-class'] === 'endnote' ? `e${label}` : label;
	const content = around.blocks(body).flatMap((block, at): Inline[] => {
		if (!('content' in block)) return [];
		return at === 0 ? [...block.content] : [{ text: ' ' }, ...block.content];
	});
	around.aside({ kind: 'note', label: id, content });
	return [{ text: label, note: id }];
}

/** The text of a picture or the blocks of a box; embedded objects are not read. */
export function frameBlocks(frame: XmlElement, around: Surroundings): Block[] {
	const box =
		elementsOf(frame).find(({ name }) => name === 'draw:text-box') ?? (frame.name === 'draw:frame' ? undefined : frame);
	if (box !== undefined) return around.blocks(box);
	const alt = textIn(within(frame, 'svg:desc')).trim() || textIn(within(frame, 'svg:title')).trim();
	return within(frame, 'draw:image') === undefined || alt === '' ? [] : [{ kind: 'figure', alt }];
}
