import { element } from './element.ts';

/** A column: its title, its cell, and whether it holds a number. */
export interface Column<Row> {
	readonly title: string;
	readonly number?: boolean;
	/** The cell takes a line of its own where the table becomes a list of cards. */
	readonly block?: boolean;
	cell(row: Row): Node | string;
	className?(row: Row): string | undefined;
}

/** A table whose first column names the row. On a narrow window each row becomes a card. */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): HTMLElement {
	const [first, ...others] = columns;
	const head = columns.map(({ title, number }) =>
		element('th', { scope: 'col', class: number ? 'number' : undefined }, title),
	);
	const body = rows.map((row) =>
		element(
			'tr',
			{},
			element('th', { scope: 'row' }, first?.cell(row)),
			...others.map((column) => {
				const names = [column.number && 'number', column.block && 'block', column.className?.(row)];
				const className = names.filter(Boolean).join(' ') || undefined;
				return element('td', { class: className, 'data-name': column.title }, column.cell(row));
			}),
		),
	);
	return element(
		'table',
		{ class: 'cards' },
		element('caption', { class: 'quiet' }, caption),
		element('thead', {}, element('tr', {}, ...head)),
		element('tbody', {}, ...body),
	);
}
