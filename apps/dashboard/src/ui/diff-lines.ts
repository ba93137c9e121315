import { diffArrays } from 'diff';

/** One row of a comparison: a line of either text, with its number. */
export interface DiffRow {
	readonly kind: 'same' | 'changed' | 'removed' | 'added';
	readonly before: { readonly line: number; readonly text: string } | undefined;
	readonly after: { readonly line: number; readonly text: string } | undefined;
}

/** Equal lines that are left out. */
export interface DiffGap {
	readonly kind: 'gap';
	readonly lines: number;
}

/** Equal lines shown before and behind a change. */
const context = 3;

/** Changed lines beyond which two texts are taken to be wholly different: comparing takes their square. */
const maxEditLength = 2000;

/** Two texts line by line; a removed line stands beside the one that took its place. */
export function diffLines(before: string, after: string): DiffRow[] {
	const rows: DiffRow[] = [];
	let [left, right] = [0, 0];
	let removed: string[] = [];
	let added: string[] = [];
	const close = () => {
		for (let at = 0; at < Math.max(removed.length, added.length); at++) {
			const [old, next] = [removed[at], added[at]];
			rows.push({
				kind: old === undefined ? 'added' : next === undefined ? 'removed' : 'changed',
				before: old === undefined ? undefined : { line: ++left, text: old },
				after: next === undefined ? undefined : { line: ++right, text: next },
			});
		}
		[removed, added] = [[], []];
	};
	const [from, to] = [linesOf(before), linesOf(after)];
	const parts = diffArrays(from, to, { maxEditLength }) ?? [
		{ value: from, removed: true, added: false },
		{ value: to, removed: false, added: true },
	];
	for (const part of parts) {
		if (part.removed) removed.push(...part.value);
		else if (part.added) added.push(...part.value);
		else {
			close();
			for (const text of part.value)
				rows.push({ kind: 'same', before: { line: ++left, text }, after: { line: ++right, text } });
		}
	}
	close();
	return rows;
}

/** Leaves out equal lines far from any change. */
export function folded(rows: readonly DiffRow[]): (DiffRow | DiffGap)[] {
	const near = new Set<number>();
	for (const [at, { kind }] of rows.entries())
		if (kind !== 'same') for (let each = at - context; each <= at + context; each++) near.add(each);
	const result: (DiffRow | DiffGap)[] = [];
	let hidden = 0;
	for (const [at, row] of rows.entries()) {
		if (!near.has(at)) {
			hidden++;
			continue;
		}
		if (hidden > 0) result.push({ kind: 'gap', lines: hidden });
		hidden = 0;
		result.push(row);
	}
	if (hidden > 0) result.push({ kind: 'gap', lines: hidden });
	return result;
}

function linesOf(text: string): string[] {
	const lines = text.split('\n');
	if (lines.at(-1) === '') lines.pop();
	return lines;
}
