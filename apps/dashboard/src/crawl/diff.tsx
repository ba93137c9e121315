import { diffLines } from 'diff';
import { useMemo } from 'preact/hooks';
import { Empty, Status } from '../ui/index.ts';

/** Unchanged lines beside a change. */
const context = 3;
/** A comparison that takes longer gives up; milliseconds. */
const patience = 2000;

interface Line {
	readonly kind: 'same' | 'added' | 'removed' | 'gap';
	readonly text: string;
}

/** Two texts compared line by line, with a few lines around each change. */
export function Diff({ before, after }: { before: string; after: string }) {
	const lines = useMemo(() => compare(before, after), [before, after]);
	if (lines === undefined)
		return <Status tone="warn">The two versions differ too much to be compared line by line.</Status>;
	if (lines.length === 0) return <Empty title="The text is the same; only the markup of the page has changed." />;
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

function compare(before: string, after: string): Line[] | undefined {
	const parts = diffLines(before, after, { timeout: patience });
	if (parts === undefined) return undefined;
	return parts.flatMap(({ value, added, removed }, at): Line[] => {
		const lines = value.replace(/\n$/, '').split('\n');
		if (added || removed) return lines.map((text) => ({ kind: added ? 'added' : 'removed', text }));
		return shorten(lines, at > 0, at < parts.length - 1);
	});
}

/** Lines that have not changed, without those far from a change. */
function shorten(lines: readonly string[], isAfterChange: boolean, isBeforeChange: boolean): Line[] {
	const head = isAfterChange ? context : 0;
	const tail = isBeforeChange ? context : 0;
	const same = (texts: readonly string[]) => texts.map((text): Line => ({ kind: 'same', text }));
	const left = lines.length - head - tail;
	if (left <= 1) return same(head + tail === 0 ? [] : lines);
	if (head + tail === 0) return [];
	const gap: Line = { kind: 'gap', text: `${left} unchanged lines` };
	return [...same(lines.slice(0, head)), gap, ...same(tail === 0 ? [] : lines.slice(-tail))];
}
