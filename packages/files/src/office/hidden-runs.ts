import { XMLSerializer } from '@xmldom/xmldom';
import { makePlain, smallestText } from './plain-parts.ts';
import { childOf, hasFill, merged, parseXml, propertiesOf, type Styles, valueIn } from './run-properties.ts';

const maxDepth = 400;

/**
 * Removes runs that Word does not show, or shows in white on white: mammoth reads all of them. What it does not read becomes
 * plain text.
 */
export function withoutHiddenRuns(xml: string, styles: Styles): string {
	const document = parseXml(xml);
	const runs = Array.from(document.getElementsByTagName('w:r'));
	const [background] = Array.from(document.getElementsByTagName('w:background'));
	const onColour = background !== undefined && !/^(?:auto|f{6})?$/i.test(background.getAttribute('w:color') ?? '');
	let removed = 0;
	for (const run of runs) {
		if (!isHidden(run, styles, onColour)) continue;
		run.parentNode?.removeChild(run);
		removed++;
	}
	return !makePlain(document, xml) && removed === 0 ? xml : new XMLSerializer().serializeToString(document);
}

/** Whether elements nest deeper than programs write them; `xmldom` and mammoth recurse. */
export function nestsTooDeep(xml: string): boolean {
	let depth = 0;
	for (const [tag] of xml.matchAll(/<\/?[A-Za-z][^<>]*>/g)) {
		if (tag.startsWith('</')) depth--;
		else if (!tag.endsWith('/>') && ++depth > maxDepth) return true;
	}
	return false;
}

/** A run's own properties replace those of its style, and these replace those of its paragraph. */
function isHidden(run: Element, styles: Styles, onColour: boolean): boolean {
	const own = childOf(run, 'w:rPr');
	const paragraph = childOf(parentOf(run, 'w:p'), 'w:pPr');
	const [runStyle, paragraphStyle] = [
		valueIn(childOf(own, 'w:rStyle')),
		valueIn(childOf(paragraph, 'w:pStyle')) ?? styles.paragraph,
	];
	const { hidden, size, white, shaded } = merged([
		styles.of(undefined),
		...(paragraphStyle === undefined ? [] : [styles.of(paragraphStyle)]),
		...(runStyle === undefined ? [] : [styles.of(runStyle)]),
		propertiesOf(own),
	]);
	if (hidden === true || (size !== undefined && size <= smallestText)) return true;
	return white === true && shaded !== true && !onColour && !isOnFill(run, styles);
}

/** Whether a paragraph, cell, table or drawing around a run has a colour of its own. */
function isOnFill(run: Element, styles: Styles): boolean {
	for (let node: Node | null = run.parentNode; node !== null; node = node.parentNode) {
		const element = node as Element;
		// The fill of a drawing is described in another language.
		if (node.nodeName === 'w:txbxContent') return true;
		const properties = childOf(element, propertiesIn[node.nodeName] ?? '');
		const shading = childOf(properties, 'w:shd');
		if (shading !== undefined) return hasFill(shading);
		const style = valueIn(childOf(properties, 'w:tblStyle'));
		if (style !== undefined && styles.isShaded(style)) return true;
	}
	return false;
}

const propertiesIn: Readonly<Record<string, string>> = {
	'w:p': 'w:pPr',
	'w:tc': 'w:tcPr',
	'w:tbl': 'w:tblPr',
};

function parentOf(element: Element, name: string): Element | undefined {
	let node: Node | null = element.parentNode;
	while (node !== null && node.nodeName !== name) node = node.parentNode;
	return (node as Element | null) ?? undefined;
}
