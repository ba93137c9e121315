import type { Block, Cell } from '../pdf/types.ts';
import { isOn, type Relations, textBlocks, titleContent } from './slide-text.ts';
import { elementsOf, within, type XmlElement } from './xml.ts';

/** The width and the height of a slide. */
export type SlideSize = readonly [number, number];

/** Placeholders that say the same on each slide. */
const furniture = /^(?:sldNum|dt|ftr|hdr|sldImg)$/;
const titles = /^(?:title|ctrTitle)$/;
/** Placeholders whose paragraphs have no bullets. */
const plain = /^(?:subTitle|pic|title|ctrTitle)$/;

/** The title of a slide as a heading, then its shapes in the order in which they are read aloud. */
export function slideBlocks(slide: XmlElement, relations: Relations, size: SlideSize): Block[] {
	const shapes = shapesOf(within(slide, 'sld', 'cSld', 'spTree'), size);
	const title = shapes.find((shape) => titles.test(placeholderOf(shape) ?? ''));
	const content = title === undefined ? [] : titleContent(within(title, 'txBody'), relations);
	const level = title !== undefined && placeholderOf(title) === 'ctrTitle' ? 1 : 2;
	const heading: Block[] = content.length === 0 ? [] : [{ kind: 'heading', level, content }];
	return [...heading, ...shapes.filter((shape) => shape !== title).flatMap((shape) => shapeBlocks(shape, relations))];
}

/** Visible shapes, those of groups in their place. */
function shapesOf(tree: XmlElement | undefined, size: SlideSize, isGrouped = false): XmlElement[] {
	return elementsOf(tree).flatMap((shape): XmlElement[] => {
		if (shape.name === 'AlternateContent') return shapesOf(within(shape, 'Choice'), size, isGrouped);
		if (isOn(propertiesOf(shape)?.attributes.hidden)) return [];
		// The places of shapes in a group are relative to it.
		if (!isGrouped && isOutside(shape, size)) return [];
		if (shape.name === 'grpSp') return shapesOf(shape, size, true);
		return /^(?:sp|pic|graphicFrame)$/.test(shape.name) ? [shape] : [];
	});
}

const nonVisual = /^nv(?:Sp|Pic|GrpSp|GraphicFrame|CxnSp)Pr$/;

const propertiesOf = (shape: XmlElement): XmlElement | undefined =>
	within(
		elementsOf(shape).find(({ name }) => nonVisual.test(name)),
		'cNvPr',
	);

function placeholderOf(shape: XmlElement): string | undefined {
	const names = elementsOf(shape).find(({ name }) => nonVisual.test(name));
	const placeholder = within(names, 'nvPr', 'ph');
	return placeholder === undefined ? undefined : (placeholder.attributes.type ?? 'obj');
}

/** Whether all of a shape is beside the slide. */
function isOutside(shape: XmlElement, [width, height]: SlideSize): boolean {
	const frame =
		within(shape, 'spPr', 'xfrm') ??
		within(shape, 'grpSpPr', 'xfrm') ??
		(shape.name === 'graphicFrame' ? within(shape, 'xfrm') : undefined);
	const [offset, extent] = [within(frame, 'off')?.attributes, within(frame, 'ext')?.attributes];
	if (offset === undefined || extent === undefined) return false;
	const [x, y, w, h] = [offset.x, offset.y, extent.cx, extent.cy].map(Number) as [number, number, number, number];
	return x >= width || y >= height || x + w <= 0 || y + h <= 0;
}

function shapeBlocks(shape: XmlElement, relations: Relations): Block[] {
	const placeholder = placeholderOf(shape);
	if (furniture.test(placeholder ?? '')) return [];
	if (shape.name === 'graphicFrame') {
		const table = within(shape, 'graphic', 'graphicData', 'tbl');
		return table === undefined ? [] : tableBlocks(table, relations);
	}
	if (shape.name === 'pic') {
		const alt = propertiesOf(shape)?.attributes.descr?.trim() ?? '';
		return alt === '' ? [] : [{ kind: 'figure', alt }];
	}
	const isList = placeholder !== undefined && !plain.test(placeholder);
	return textBlocks(within(shape, 'txBody'), isList ? 'list' : 'text', relations);
}

function tableBlocks(table: XmlElement, relations: Relations): Block[] {
	const hasHeader = isOn(within(table, 'tblPr')?.attributes.firstRow);
	const rows = elementsOf(table, 'tr').map((row, at) => {
		const header = hasHeader && at === 0;
		return elementsOf(row, 'tc').flatMap((cell): Cell[] => {
			const { hMerge, vMerge, gridSpan, rowSpan } = cell.attributes;
			if (isOn(hMerge) || isOn(vMerge)) return [];
			const span = (value: string | undefined) => Math.min(Math.max(Number(value ?? 1) || 1, 1), 1000);
			const blocks = textBlocks(within(cell, 'txBody'), header ? 'title' : 'text', relations);
			return [{ header, columns: span(gridSpan), rows: span(rowSpan), blocks }];
		});
	});
	return rows.some((row) => row.some(({ blocks }) => blocks.length > 0)) ? [{ kind: 'table', rows }] : [];
}
