import { ArrowDown, ArrowUp, ArrowUpDown, Download } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { formatCsv } from '../../../../packages/gateway/src/report/csv.ts';
import { Icon } from './icon.tsx';
import { Empty } from './states.tsx';

type Field = string | number | null | undefined;

export interface Column<Row> {
	readonly title: string;
	/** Aligned right, with digits of equal width. */
	readonly isNumber?: boolean;
	/** The cell takes a line of its own where the table becomes a list of cards. */
	readonly isBlock?: boolean;
	/** In a CSV and for sorting; a column without it is neither saved nor sorted. */
	value?(row: Row): Field;
	/** Default: the value. */
	cell?(row: Row): ComponentChildren;
	className?(row: Row): string | undefined;
}

export interface TableProps<Row> {
	/** What the table shows; for screen readers, and the name of the file to save. */
	readonly caption: string;
	/** The first column names the row. */
	readonly columns: readonly Column<Row>[];
	readonly rows: readonly Row[];
	rowKey(row: Row): string;
	/** Said where there are no rows. */
	readonly empty: string;
	/** Address of a CSV with more rows than are shown. Default: the rows given are saved; `false`: none. */
	readonly save?: string | false;
	/** Rows shown before "Show more". Default 50. */
	readonly pageSize?: number;
}

interface Order {
	readonly title: string;
	readonly isDescending: boolean;
}

/** A table that is sorted by its headings and saved as CSV. On a narrow window each row becomes a card. */
export function Table<Row>(props: TableProps<Row>) {
	const { caption, columns, rows, rowKey, empty, save, pageSize = 50 } = props;
	const [order, setOrder] = useState<Order>();
	const [shown, setShown] = useState(pageSize);
	const sorted = useMemo(() => sortRows(rows, columns, order), [rows, columns, order]);
	if (rows.length === 0) return <Empty title={empty} />;
	const [first, ...others] = columns;
	return (
		<div class="table">
			<table class="cards">
				<caption class="quiet">{caption}</caption>
				<thead>
					<tr>
						{columns.map((column) => (
							<Heading key={column.title} column={column} order={order} onOrder={setOrder} />
						))}
					</tr>
				</thead>
				<tbody>
					{sorted.slice(0, shown).map((row) => (
						<tr key={rowKey(row)}>
							<th scope="row" class={first?.className?.(row)}>
								{first === undefined ? null : cellOf(first, row)}
							</th>
							{others.map((column) => (
								<td
									key={column.title}
									data-name={column.title}
									class={[column.isNumber && 'number', column.isBlock && 'block', column.className?.(row)]
										.filter(Boolean)
										.join(' ')}
								>
									{cellOf(column, row)}
								</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
			<div class="table-foot">
				{sorted.length > shown && (
					<button type="button" onClick={() => setShown(shown + pageSize)}>
						Show {Math.min(pageSize, sorted.length - shown)} more of {sorted.length}
					</button>
				)}
				{save !== false && <Save caption={caption} columns={columns} rows={sorted} href={save} />}
			</div>
		</div>
	);
}

function cellOf<Row>({ cell, value }: Column<Row>, row: Row): ComponentChildren {
	return cell === undefined ? value?.(row) : cell(row);
}

function Heading<Row>({
	column,
	order,
	onOrder,
}: {
	column: Column<Row>;
	order: Order | undefined;
	onOrder: (order: Order) => void;
}) {
	const { title, isNumber = false } = column;
	const name = isNumber ? 'number' : undefined;
	if (column.value === undefined)
		return (
			<th scope="col" class={name}>
				{title}
			</th>
		);
	const isOrdered = order?.title === title;
	// Numbers are read from the top down first, names from A.
	const isDescending = isOrdered ? !order.isDescending : isNumber;
	const sort = isOrdered ? (order.isDescending ? 'descending' : 'ascending') : undefined;
	return (
		<th scope="col" class={name} aria-sort={sort}>
			<button type="button" class="sort" onClick={() => onOrder({ title, isDescending })}>
				{title}
				<Icon of={sort === undefined ? ArrowUpDown : sort === 'descending' ? ArrowDown : ArrowUp} size={13} />
			</button>
		</th>
	);
}

function sortRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order?: Order): readonly Row[] {
	const value = columns.find(({ title }) => title === order?.title)?.value;
	if (order === undefined || value === undefined) return rows;
	const sign = order.isDescending ? -1 : 1;
	return [...rows].sort((a, b) => sign * compare(value(a), value(b)));
}

function compare(a: Field, b: Field): number {
	if (typeof a === 'number' && typeof b === 'number') return a - b;
	return String(a ?? '').localeCompare(String(b ?? ''));
}

function Save<Row>({
	caption,
	columns,
	rows,
	href,
}: {
	caption: string;
	columns: readonly Column<Row>[];
	rows: readonly Row[];
	href: string | undefined;
}) {
	const label = (
		<>
			<Icon of={Download} size={15} />
			Save as CSV<span class="quiet">: {caption}</span>
		</>
	);
	if (href !== undefined)
		return (
			<a class="save" href={href} download>
				{label}
			</a>
		);
	return (
		<button type="button" class="save" onClick={() => saveCsv(fileName(caption), columns, rows)}>
			{label}
		</button>
	);
}

const fileName = (caption: string): string => `${caption.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.csv`;

function saveCsv<Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): void {
	const saved = columns.filter(({ value }) => value !== undefined);
	const fields = rows.map((row) => Object.fromEntries(saved.map((column) => [column.title, column.value?.(row)])));
	const text = formatCsv(
		saved.map(({ title }) => title),
		fields,
	);
	const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
	const link = document.createElement('a');
	link.href = address;
	link.download = name;
	link.click();
	URL.revokeObjectURL(address);
}
