import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type DiffRow, diffLines, folded } from '../ui/diff-lines.ts';

const words = { same: '', changed: 'changed', removed: 'removed', added: 'added' } as const;
const signs = { same: ' ', changed: '~', removed: '−', added: '+' } as const;

/** Two texts side by side; one below the other where there is no room. */
export function Diff({
	before,
	after,
	names,
	lit,
}: {
	before: string;
	after: string;
	names: readonly [before: string, after: string];
	/** A line of `after` that is lit up. */
	lit?: number | undefined;
}) {
	const rows = useMemo(() => diffLines(before, after), [before, after]);
	const box = useRef<HTMLDivElement>(null);
	useEffect(() => box.current?.querySelector('td.lit')?.scrollIntoView({ block: 'center' }), [lit, rows]);
	const isSame = rows.every(({ kind }) => kind === 'same');
	// Without a change, and with a line to show, the whole text is of interest.
	const shown = isSame || lit !== undefined ? rows : folded(rows);
	return (
		<div class="diff" ref={box}>
			<table>
				<caption class="quiet">
					{names[0]} beside {names[1]}
				</caption>
				<thead>
					<tr>
						<th scope="col">{names[0]}</th>
						<th scope="col">{names[1]}</th>
					</tr>
				</thead>
				<tbody>
					{shown.map((row, at) =>
						row.kind === 'gap' ? (
							<tr key={at} class="gap">
								<td colSpan={2}>{row.lines === 1 ? '1 equal line' : `${row.lines} equal lines`}</td>
							</tr>
						) : (
							<tr key={at} class={row.kind}>
								<Side row={row} of={row.before} isOld />
								<Side row={row} of={row.after} isLit={lit !== undefined && row.after?.line === lit} />
							</tr>
						),
					)}
				</tbody>
			</table>
		</div>
	);
}

function Side({
	row,
	of,
	isOld = false,
	isLit = false,
}: {
	row: DiffRow;
	of: DiffRow['before'];
	isOld?: boolean;
	isLit?: boolean;
}) {
	if (of === undefined) return <td class="nothing" />;
	const sign = row.kind === 'changed' ? (isOld ? '−' : '+') : signs[row.kind];
	return (
		<td class={[isOld ? 'old' : 'new', isLit && 'lit'].filter(Boolean).join(' ')}>
			<span class="line-number">{of.line}</span>
			<span class="sign" aria-hidden="true">
				{sign}
			</span>
			{row.kind !== 'same' && <span class="quiet">{words[row.kind]}: </span>}
			<code>{of.text === '' ? '\u00a0' : of.text}</code>
		</td>
	);
}
