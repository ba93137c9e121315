import { useMemo } from 'preact/hooks';
import { diffLines, folded } from '../ui/diff-lines.ts';
import { Empty } from '../ui/index.ts';

interface Line {
	readonly kind: 'same' | 'added' | 'removed' | 'gap';
	readonly text: string;
}

/** Two texts compared line by line, with a few lines around each change. */
export function Diff({ before, after }: { before: string; after: string }) {
	const rows = useMemo(() => diffLines(before, after), [before, after]);
	if (rows.every(({ kind }) => kind === 'same'))
		return <Empty title="The text is the same; only the markup of the page has changed." />;
	const lines = inOneColumn(folded(rows));
	const sum = (kind: Line['kind']) => lines.filter((line) => line.kind === kind).length;
	return (
		<>
			<p class="soft">{`${sum('removed')} lines removed, ${sum('added')} lines added`}</p>
			<div class="diff">
				{lines.map(({ kind, text }, at) => (
					<DiffLine key={at} kind={kind} text={text} />
				))}
			</div>
		</>
	);
}

function DiffLine({ kind, text }: Line) {
	if (kind === 'gap') return <p class="gap">{text}</p>;
	if (kind === 'added')
		return (
			<p>
				<span class="quiet">added: </span>
				<ins>{text}</ins>
			</p>
		);
	if (kind === 'removed')
		return (
			<p>
				<span class="quiet">removed: </span>
				<del>{text}</del>
			</p>
		);
	return <p>{text}</p>;
}

/** Lines below each other: those of a change that are gone, then those that came. */
function inOneColumn(rows: ReturnType<typeof folded>): Line[] {
	const lines: Line[] = [];
	let came: Line[] = [];
	for (const row of rows) {
		if (row.kind === 'same' || row.kind === 'gap') {
			lines.push(...came);
			came = [];
			const text = row.kind === 'gap' ? `${row.lines} unchanged lines` : (row.after?.text ?? '');
			lines.push({ kind: row.kind, text });
			continue;
		}
		if (row.before !== undefined) lines.push({ kind: 'removed', text: row.before.text });
		if (row.after !== undefined) came.push({ kind: 'added', text: row.after.text });
	}
	return [...lines, ...came];
}
