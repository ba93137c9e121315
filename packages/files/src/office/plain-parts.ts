import { childOf, propertiesOf } from './run-properties.ts';

/** Half points: text that is smaller cannot be read. */
export const smallestText = 3;

/** Elements that mammoth drops with the text inside of them. */
const dropped = /<(?:w:fldSimple|w:ruby|m:oMath)\b/;

/**
 * Puts text in the place of what mammoth drops: equations in one line, results of simple fields, the base of ruby, and the rows
 * of a table inside of a cell.
 *
 * @returns whether anything was changed
 */
export function makePlain(document: Document, xml: string): boolean {
	let changed = false;
	if (dropped.test(xml)) {
		for (const math of all(document, 'm:oMath')) {
			math.parentNode?.replaceChild(runOf(document, linear(math)), math);
			changed = true;
		}
		for (const para of all(document, 'm:oMathPara')) unwrap(para);
		for (const field of all(document, 'w:fldSimple')) unwrap(field);
		for (const ruby of all(document, 'w:ruby')) unfoldRuby(ruby);
		changed = true;
	}
	// Inner tables first.
	for (const table of all(document, 'w:tbl').reverse()) {
		if (table.parentNode?.nodeName !== 'w:tc') continue;
		flatten(document, table);
		changed = true;
	}
	return changed;
}

const all = (document: Document, name: string): Element[] => Array.from(document.getElementsByTagName(name));

/** Replaces an element by its children. */
function unwrap(element: Element): void {
	const parent = element.parentNode;
	if (parent === null) return;
	while (element.firstChild !== null) parent.insertBefore(element.firstChild, element);
	parent.removeChild(element);
}

function runOf(document: Document, text: string): Element {
	const run = document.createElement('w:r');
	const piece = document.createElement('w:t');
	piece.setAttribute('xml:space', 'preserve');
	piece.appendChild(document.createTextNode(text));
	run.appendChild(piece);
	return run;
}

/** A run holds the ruby: the runs of its base take the place of that run. */
function unfoldRuby(ruby: Element): void {
	const run = ruby.parentNode;
	const base = childOf(ruby, 'w:rubyBase');
	if (run?.parentNode == null) return;
	while (base?.firstChild != null) run.parentNode.insertBefore(base.firstChild, run);
	run.removeChild(ruby);
}

const children = (element: Element | undefined, name?: string): Element[] =>
	Array.from(element?.childNodes ?? []).filter(
		(node): node is Element => node.nodeType === 1 && (name === undefined || node.nodeName === name),
	);

/** Each row of a table as a paragraph, with bars between its cells. */
function flatten(document: Document, table: Element): void {
	for (const row of children(table, 'w:tr')) {
		const paragraph = document.createElement('w:p');
		children(row, 'w:tc').forEach((cell, at) => {
			if (at > 0) paragraph.appendChild(runOf(document, ' | '));
			children(cell, 'w:p').forEach((inner, place) => {
				if (place > 0) paragraph.appendChild(runOf(document, ' '));
				for (const child of children(inner)) if (child.nodeName !== 'w:pPr') paragraph.appendChild(child);
			});
		});
		table.parentNode?.insertBefore(paragraph, table);
	}
	table.parentNode?.removeChild(table);
}

/** An equation in one line: `E=mc^2`, `(a+b)/c`, `√(x)` (ECMA-376 part 1 §22.1). */
export function linear(element: Element): string {
	const part = (name: string): string => {
		const child = childOf(element, name);
		return child === undefined ? '' : linear(child);
	};
	switch (element.nodeName) {
		case 'm:r':
			return isSeen(element) ? children(element).map(linear).join('') : '';
		case 'm:t':
			return element.textContent ?? '';
		case 'm:sSup':
			return part('m:e') + raised('^', part('m:sup'));
		case 'm:sSub':
			return part('m:e') + raised('_', part('m:sub'));
		case 'm:sSubSup':
			return part('m:e') + raised('_', part('m:sub')) + raised('^', part('m:sup'));
		case 'm:f':
			return `${grouped(part('m:num'))}/${grouped(part('m:den'))}`;
		case 'm:rad':
			return `${raised('', part('m:deg'))}√${grouped(part('m:e'))}`;
		case 'm:nary':
			return `${sign(element, 'm:naryPr', 'm:chr', '∫')}${raised('_', part('m:sub'))}${raised('^', part('m:sup'))} ${part('m:e')}`;
		case 'm:d': {
			const [open, close] = [sign(element, 'm:dPr', 'm:begChr', '('), sign(element, 'm:dPr', 'm:endChr', ')')];
			return open + children(element, 'm:e').map(linear).join(', ') + close;
		}
		default:
			return children(element).map(linear).join('');
	}
}

/** Runs of equations have the properties of other runs. */
function isSeen(run: Element): boolean {
	const { hidden, white, shaded, size } = propertiesOf(childOf(run, 'w:rPr'));
	return hidden !== true && !(white === true && shaded !== true) && (size === undefined || size > smallestText);
}

const grouped = (text: string): string => (/^[\p{L}\p{N}]*$/u.test(text) ? text : `(${text})`);
const raised = (mark: string, text: string): string => (text === '' ? '' : mark + grouped(text));
const sign = (element: Element, properties: string, name: string, usual: string): string =>
	childOf(childOf(element, properties), name)?.getAttribute('m:val') ?? usual;
