import type { Robots2Problem } from './problems.ts';
import { robots2Problem } from './report.ts';

/** The shapes that the draft gives ("META"); other keys hold any text. */
const shapes: Readonly<Record<string, RegExp>> = {
	'last-update': /^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/i,
	'update-frequency': /^(?:live|daily|weekly|monthly|rarely|static)$/i,
	'significant-change': /^(?:yes|no)$/i,
};

/** Whether a value has the format that the draft defines for its key. */
export const isMetaValue = (name: string, value: string): boolean => shapes[name.toLowerCase()]?.test(value) !== false;

/** Reads the `# meta: key: value` lines of the leading comment block; the first of each key counts. */
export function readMeta(lines: readonly string[], problems: Robots2Problem[]): ReadonlyMap<string, string> {
	const meta = new Map<string, string>();
	for (const [index, line] of lines.entries()) {
		if (!/^\s*(?:#|$)/.test(line)) break;
		const [, name, rest] = /^\s*#\s*meta:\s*([^:\s]+)\s*:(.*)$/is.exec(line) ?? [];
		if (name === undefined || rest === undefined) continue;
		const value = rest.trim();
		const key = name.toLowerCase() === 'license' ? 'licence' : name.toLowerCase();
		if (Object.hasOwn(shapes, key) && shapes[key]?.test(value) === false)
			problems.push(robots2Problem('robots2-invalid-meta', { line: index + 1, column: 1 }, { name: key, value }));
		if (!meta.has(key)) meta.set(key, value);
	}
	return meta;
}
