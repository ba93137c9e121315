import { locatePointers } from './json-pointer.ts';
import { departures, type JsonSchema } from './json-schema.ts';
import { maxJsonDepth, readJson } from './json-text.ts';
import type { TextProblems } from './text-problems.ts';

/** Codes shared by all kinds of JSON documents; each module has them under its own prefix. */
export type DocumentCode<Prefix extends string> =
	`${Prefix}-${'byte-order-mark' | 'not-json' | 'too-deep' | 'missing-field' | 'wrong-type' | 'wrong-value'}`;

/** A problem before its place in the text is known. */
export interface Finding<Code extends string> {
	readonly code: Code;
	readonly pointer: string;
	readonly args?: Readonly<Record<string, string | number>>;
}

/** Reads a JSON text and reports what `check` finds in its value, in the order of the text. */
export function checkText<Prefix extends string, Code extends string>(
	prefix: Prefix,
	text: string,
	report: TextProblems<Code | DocumentCode<Prefix>>,
	check: (value: unknown) => readonly Finding<Code | DocumentCode<Prefix>>[],
): void {
	if (text.startsWith('\ufeff')) report.add(`${prefix}-byte-order-mark`, 0);
	const reading = readJson(text);
	if (reading.fault !== undefined) {
		report.add(`${prefix}-${reading.fault === 'depth' ? 'too-deep' : 'not-json'}`, reading.offset, {
			limit: maxJsonDepth,
		});
		return;
	}
	const findings = check(reading.value);
	if (findings.length === 0) return;
	const offsetOf = locatePointers(
		text,
		findings.map(({ pointer }) => pointer),
	);
	const placed = findings.map((finding) => ({ ...finding, at: offsetOf(finding.pointer) }));
	for (const { code, at, args } of placed.sort((a, b) => a.at - b.at)) report.add(code, at, args);
}

const departureCodes = { missing: 'missing-field', type: 'wrong-type', value: 'wrong-value' } as const;

/** Every departure of a value from a schema. */
export function checkSchema<Prefix extends string>(
	prefix: Prefix,
	schema: JsonSchema,
	value: unknown,
): Finding<DocumentCode<Prefix>>[] {
	return departures(schema, value).map(({ kind, pointer, expected, found }) => ({
		code: `${prefix}-${departureCodes[kind]}`,
		pointer,
		args: { pointer, expected, found },
	}));
}
