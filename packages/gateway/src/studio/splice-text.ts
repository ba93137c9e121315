import { diffArrays } from 'diff';

/** Changed lines, at most: comparing takes their square. */
const maxEditLength = 2000;

/** Lines of `start` up to `end` become `lines`. */
interface Edit {
	readonly start: number;
	readonly end: number;
	readonly lines: readonly string[];
}

/**
 * Makes the change from `before` to `after` in `text`, of which `before` is another spelling: a YAML library writes a
 * whole document in its own style, and an author wants only the lines back that changed. What both have changed is taken
 * from `after`.
 */
export function spliceText(text: string, before: string, after: string): string {
	const base = linesOf(before);
	const spelling = editsBetween(base, linesOf(text));
	const changes = editsBetween(base, linesOf(after));
	if (spelling === undefined || changes === undefined) return after;
	let result = '';
	let at = 0;
	for (const { start, end, lines } of merged(spelling, changes, base)) {
		result += base.slice(at, start).join('') + lines.join('');
		at = end;
	}
	return result + base.slice(at).join('');
}

/** The edits of both, in order; where they meet, what `changes` make of all lines that either touches. */
function merged(spelling: readonly Edit[], changes: readonly Edit[], base: readonly string[]): Edit[] {
	const done: Edit[] = [];
	let open: { start: number; end: number; own: Edit[]; changed: Edit[] } | undefined;
	const close = () => {
		if (open === undefined) return;
		const { start, end, own, changed } = open;
		done.push({ start, end, lines: applied(changed.length > 0 ? changed : own, base, start, end) });
	};
	const all = [
		...spelling.map((edit) => ({ edit, isChange: false })),
		...changes.map((edit) => ({ edit, isChange: true })),
	].sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end);
	for (const { edit, isChange } of all) {
		if (open === undefined || edit.start >= open.end) {
			close();
			open = { start: edit.start, end: edit.end, own: [], changed: [] };
		}
		open.end = Math.max(open.end, edit.end);
		(isChange ? open.changed : open.own).push(edit);
	}
	close();
	return done;
}

function applied(edits: readonly Edit[], base: readonly string[], start: number, end: number): string[] {
	const result: string[] = [];
	let at = start;
	for (const edit of edits) {
		result.push(...base.slice(at, edit.start), ...edit.lines);
		at = edit.end;
	}
	return [...result, ...base.slice(at, end)];
}

/** Each with its line break. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Undefined where the texts differ in too many lines to be compared while requests wait. */
function editsBetween(from: readonly string[], to: readonly string[]): Edit[] | undefined {
	const parts = diffArrays([...from], [...to], { maxEditLength });
	if (parts === undefined) return undefined;
	const edits: { start: number; end: number; lines: string[] }[] = [];
	let at = 0;
	let last: (typeof edits)[number] | undefined;
	for (const { value, added, removed } of parts) {
		if (!added && !removed) {
			at += value.length;
			last = undefined;
			continue;
		}
		if (last === undefined) {
			last = { start: at, end: at, lines: [] };
			edits.push(last);
		}
		if (added) last.lines.push(...value);
		else {
			at += value.length;
			last.end = at;
		}
	}
	return edits.flatMap(lineByLine);
}

/** Of as many lines as before, each is taken to be the new spelling of the line in its place. */
function lineByLine({ start, end, lines }: Edit): Edit[] {
	if (end - start !== lines.length) return [{ start, end, lines }];
	return lines.map((line, at) => ({ start: start + at, end: start + at + 1, lines: [line] }));
}
