import type { Element } from '../dom/node.ts';
import { walk } from '../dom/walk.ts';
import type { Facts } from './facts.ts';
import { normalise, truncate } from './text.ts';
import type { SomAttributes, SomBudget } from './types.ts';

const layoutAttributes = ['cellpadding', 'cellspacing', 'border', 'width', 'bgcolor'];
const layoutChildren: ReadonlySet<string> = new Set([
	'nav',
	'form',
	'header',
	'footer',
	'aside',
	'main',
	'article',
	'section',
	// Beyond the specification's list: cells of data hold no headings, and no heading may be lost (§8.2).
	'h1',
	'h2',
	'h3',
	'h4',
	'h5',
	'h6',
]);

/** Whether a table only arranges the page (SOM-SPEC §6.3): a table with headers or a caption never does. */
export function isLayoutTable(table: Element, facts: Facts): boolean {
	let nested = false;
	let layoutChild = false;
	let links = 0;
	let cells = 0;
	let data = false;
	walk(table, (node) => {
		if (node.kind !== 'element') return false;
		if (node.tag === 'th' || node.tag === 'caption') data = true;
		else if (node.tag === 'table') nested = true;
		else if (node.tag === 'td') cells++;
		else if (node.tag === 'a' && node.attributes.href !== undefined) links++;
		else if (layoutChildren.has(node.tag) || (node.tag === 'div' && facts.links(node) >= 2)) layoutChild = true;
		return !data;
	});
	if (data) return false;
	return (
		nested || layoutChild || links >= 20 || cells <= 2 || layoutAttributes.some((name) => name in table.attributes)
	);
}

/** Headers and rows of a data table, within the limits. A header cell beside data cells stays in its row. */
export function tableData(
	table: Element,
	budget: SomBudget,
	textOf: (cell: Element) => string,
	isHidden: (element: Element) => boolean,
): SomAttributes {
	const headers: string[] = [];
	const rows: string[][] = [];
	let hidden = 0;
	for (const row of rowsOf(table)) {
		if (isHidden(row)) continue;
		const cells = row.children.filter((cell): cell is Element => isCell(cell));
		const texts = cells
			.slice(0, budget.maxTableColumns)
			.map((cell) => truncate(normalise(textOf(cell)), budget.maxCellChars));
		if (texts.every((text) => text === '')) continue;
		const onlyHeaders = cells.every((cell) => cell.tag === 'th');
		if (onlyHeaders && rows.length === 0 && headers.length + texts.length <= budget.maxTableColumns)
			headers.push(...texts);
		else if (rows.length < budget.maxTableRows) rows.push(texts);
		else hidden++;
	}
	if (hidden > 0 && rows.length > 0) rows[rows.length - 1] = [`[${hidden + 1} more rows]`];
	return { ...(headers.length > 0 ? { headers } : {}), rows };
}

function isCell(node: Element['children'][number]): boolean {
	return node.kind === 'element' && (node.tag === 'td' || node.tag === 'th');
}

/** The rows of the table itself, not those of tables in its cells. */
function* rowsOf(table: Element): Generator<Element> {
	for (const child of table.children) {
		if (child.kind !== 'element') continue;
		if (child.tag === 'tr') yield child;
		else if (child.tag === 'thead' || child.tag === 'tbody' || child.tag === 'tfoot') yield* rowsOf(child);
	}
}
