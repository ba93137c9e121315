import { DOMParser, XMLSerializer } from '@xmldom/xmldom';

/** Half points: text that is smaller cannot be read. */
const smallestText = 3;
const maxDepth = 400;

/** Removes runs that Word does not show, or shows in white: mammoth reads all of them. */
export function withoutHiddenRuns(xml: string, hiddenStyles: ReadonlySet<string>): string {
	const document = new DOMParser({ errorHandler: () => {} }).parseFromString(xml, 'text/xml');
	const runs = Array.from(document.getElementsByTagName('w:r'));
	let removed = 0;
	for (const run of runs) {
		if (!isHidden(run, hiddenStyles)) continue;
		run.parentNode?.removeChild(run);
		removed++;
	}
	return removed === 0 ? xml : new XMLSerializer().serializeToString(document);
}

/** Ids of styles whose text is hidden. */
export function hiddenStylesIn(xml: string): Set<string> {
	const document = new DOMParser({ errorHandler: () => {} }).parseFromString(xml, 'text/xml');
	const styles = Array.from(document.getElementsByTagName('w:style'));
	return new Set(
		styles.filter((style) => hides(childOf(style, 'w:rPr'))).flatMap((style) => style.getAttribute('w:styleId') ?? []),
	);
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

function isHidden(run: Element, hiddenStyles: ReadonlySet<string>): boolean {
	const properties = childOf(run, 'w:rPr');
	const style = childOf(properties, 'w:rStyle')?.getAttribute('w:val');
	if (style !== null && style !== undefined && hiddenStyles.has(style)) return true;
	const paragraph = paragraphOf(run);
	const named = childOf(childOf(paragraph, 'w:pPr'), 'w:pStyle')?.getAttribute('w:val');
	return (named !== null && named !== undefined && hiddenStyles.has(named)) || hides(properties);
}

function hides(properties: Element | undefined): boolean {
	if (properties === undefined) return false;
	if (['w:vanish', 'w:webHidden', 'w:specVanish'].some((name) => isOn(childOf(properties, name)))) return true;
	const size = Number(childOf(properties, 'w:sz')?.getAttribute('w:val') ?? Number.NaN);
	if (size <= smallestText) return true;
	const isWhite = /^(?:fff|f[ef]f[ef]f[ef])$/i.test(childOf(properties, 'w:color')?.getAttribute('w:val') ?? '');
	return isWhite && childOf(properties, 'w:shd') === undefined && childOf(properties, 'w:highlight') === undefined;
}

const isOn = (element: Element | undefined): boolean =>
	element !== undefined && !/^(?:0|false|off)$/.test(element.getAttribute('w:val') ?? '');

function childOf(parent: Element | undefined, name: string): Element | undefined {
	for (let child: Node | null = parent?.firstChild ?? null; child !== null; child = child.nextSibling)
		if (child.nodeName === name) return child as Element;
	return undefined;
}

function paragraphOf(run: Element): Element | undefined {
	let node: Node | null = run.parentNode;
	while (node !== null && node.nodeName !== 'w:p') node = node.parentNode;
	return (node as Element | null) ?? undefined;
}
