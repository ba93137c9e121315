import { locatePointers } from '../internal/json-pointer.ts';
import { isObject } from '../internal/json-schema.ts';
import { maxJsonDepth, readJson } from '../internal/json-text.ts';
import { createPositions } from '../internal/text-position.ts';
import type { Parsed } from '../problem.ts';
import { checkSense, checkShape } from './check.ts';
import { legacyPointer, type MigrationOptions, migrateAIDocument } from './migrate.ts';
import { type AIDocumentProblem, type AIDocumentProblemCode, aiDocumentSeverities, type Finding } from './problems.ts';
import type { AIDocument } from './types.ts';

/** The document, or undefined where some problem is an error. */
export type ParsedAIDocument = Parsed<AIDocument | undefined, AIDocumentProblemCode>;

/**
 * Reads an AIDocument from JSON text or from a value that JSON.parse made.
 *
 * The reader is chosen by `schema.version`, never by which paths exist: 2.x is accepted with all that a later
 * revision may add, 1.0 is migrated, any other major version is refused (AIWebIndex 2.0 §4.4).
 * Each problem has the JSON pointer of its place in `args.pointer`, and a line and column when a text was given.
 */
export function parseAIDocument(input: unknown, options: MigrationOptions = {}): ParsedAIDocument {
	if (typeof input !== 'string') {
		const { value, findings } = route(input, options);
		return conclude(
			value,
			findings.map((finding) => toProblem(finding, 0, 0)),
		);
	}
	const reading = readJson(input);
	if (reading.fault !== undefined) {
		const { line, column } = createPositions(input)(reading.offset);
		const code = reading.fault === 'depth' ? 'aidocument-too-deep' : 'aidocument-not-json';
		return conclude(undefined, [toProblem({ code, pointer: '', args: { limit: maxJsonDepth } }, line, column)]);
	}
	const { value, findings } = route(reading.value, options);
	return conclude(value, [...checkMark(input), ...locate(findings, input)]);
}

/** The problems of a document alone: what `parseAIDocument` finds. */
export function checkAIDocument(input: unknown): readonly AIDocumentProblem[] {
	return parseAIDocument(input).problems;
}

interface Routed {
	readonly value: AIDocument | undefined;
	/** Pointers lead into the document as it was given. */
	readonly findings: readonly Finding[];
}

function route(value: unknown, options: MigrationOptions): Routed {
	if (!isObject(value)) return refuse('aidocument-unrecognised', '');
	const { schema } = value;
	if (!isObject(schema)) {
		return typeof value.url === 'string' ? readLegacy(value, options) : refuse('aidocument-unrecognised', '');
	}
	const { version } = schema;
	const major = typeof version === 'string' ? /^(\d+)\.\d+$/.exec(version)?.[1] : undefined;
	if (major === '1') return readLegacy(value, options);
	if (major !== undefined && major !== '2') {
		return refuse('aidocument-unsupported-version', '/schema/version', { version: version as string });
	}
	return readCurrent(value);
}

function readCurrent(value: unknown): Routed {
	const shape = checkShape(value);
	if (shape.length > 0) return { value: undefined, findings: shape };
	return { value: value as AIDocument, findings: checkSense(value as AIDocument) };
}

function readLegacy(legacy: Record<string, unknown>, options: MigrationOptions): Routed {
	const { value, findings } = readCurrent(migrateAIDocument(legacy, options));
	const inLegacy = findings.map((finding) => {
		const pointer = legacyPointer(finding.pointer);
		return { ...finding, pointer, args: { ...finding.args, pointer } };
	});
	return { value, findings: [{ code: 'aidocument-migrated', pointer: '' }, ...inLegacy] };
}

function refuse(code: AIDocumentProblemCode, pointer: string, args: Finding['args'] = {}): Routed {
	return { value: undefined, findings: [{ code, pointer, args: { pointer, ...args } }] };
}

function checkMark(text: string): AIDocumentProblem[] {
	return text.startsWith('\ufeff') ? [toProblem({ code: 'aidocument-byte-order-mark', pointer: '' }, 1, 1)] : [];
}

function locate(findings: readonly Finding[], text: string): AIDocumentProblem[] {
	if (findings.length === 0) return [];
	// A space for the byte order mark keeps the offsets.
	const offsetOf = locatePointers(
		text.replace(/^\ufeff/, ' '),
		findings.map(({ pointer }) => pointer),
	);
	const positionOf = createPositions(text);
	return findings.map((finding) => {
		const { line, column } = positionOf(offsetOf(finding.pointer));
		return toProblem(finding, line, column);
	});
}

function toProblem({ code, args = {} }: Finding, line: number, column: number): AIDocumentProblem {
	return { code, severity: aiDocumentSeverities[code], line, column, args };
}

function conclude(value: AIDocument | undefined, problems: AIDocumentProblem[]): ParsedAIDocument {
	return { value, problems };
}
