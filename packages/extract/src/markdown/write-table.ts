import { wrapped } from './builder.ts';
import type { Block, Cell, Inline, Table } from './model.ts';
import { writeInline } from './write-inline.ts';

interface Style {
	readonly math: boolean;
}

/** Writes a table without spans in the form of GFM §4.10. A table without a head gets an empty one: GFM wants it. */
export function writePipeTable({ rows, head }: Table, style: Style): string {
	const columns = rows.reduce((most, row) => Math.max(most, row.length), 1);
	const lines = rows.map((row, i) =>
		row.map(({ children, header }) => cellText(header && i >= head ? children.map(bold) : children, style)),
	);
	const header = head > 0 ? lines.shift()! : [];
	const alignments = columnAlignments(rows, columns);
	return [padded(header, columns), alignments, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** GFM has headers of columns only: those of rows are in bold. */
function bold(block: Block): Block {
	return block.kind === 'paragraph' ? { ...block, content: wrapped(block.content, { name: 'strong' }) } : block;
}

/** Rows may be shorter than the head, never the head than a row. */
function padded(header: readonly string[], columns: number): string[] {
	return Array.from({ length: columns }, (_, i) => header[i] ?? '');
}

const rules: Record<Cell['align'], string> = { '': '---', left: ':--', center: ':-:', right: '--:' };

/** A column is aligned when no two of its cells differ. */
function columnAlignments(rows: readonly Cell[][], columns: number): string[] {
	const found = Array.from({ length: columns }, () => new Set<Cell['align']>());
	for (const row of rows) for (const [i, { align }] of row.entries()) if (align !== '') found[i]!.add(align);
	return found.map((aligns) => rules[aligns.size === 1 ? [...aligns][0]! : '']);
}

/** A cell's blocks on one line, with `<br>` between them. */
function cellText(children: readonly Block[], style: Style): string {
	return flatten(children)
		.map((content) => writeInline(content, { ...style, lineBreak: '<br>' }))
		.join('<br>')
		.replaceAll('|', '\\|');
}

/** The inline runs in blocks, in order: list items keep their numbers and bullets. */
export function flatten(blocks: readonly Block[]): Inline[][] {
	return blocks.flatMap((block): Inline[][] => {
		switch (block.kind) {
			case 'paragraph':
			case 'heading':
			case 'term':
				return [block.content];
			case 'code':
				return block.text.split('\n').map((text) => [{ kind: 'code', text }]);
			case 'math':
				return [[{ kind: 'math', tex: block.tex }]];
			case 'rule':
				return [];
			case 'list':
				return block.items.flatMap(({ children, number }) => {
					const runs = flatten(children);
					const sign = block.ordered ? `${number}. ` : '• ';
					return runs.map((run, i): Inline[] => (i === 0 ? [{ kind: 'text', text: sign }, ...run] : run));
				});
			case 'table':
				return block.rows.map((row) => joinRuns(row.flatMap((cell) => flatten(cell.children))));
			default:
				return flatten(block.children);
		}
	});
}

function joinRuns(runs: Inline[][]): Inline[] {
	return runs.flatMap((run, i) => (i === 0 ? run : [{ kind: 'text', text: ' ' }, ...run]));
}
