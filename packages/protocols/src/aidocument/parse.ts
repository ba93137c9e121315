import { locatePointers } from '../internal/json-pointer.ts';
import { isObject } from '../internal/json-schema.ts';
import { maxJsonDepth, readJson } from '../internal/json-text.ts';
import { TextProblems } from '../internal/text-problems.ts';
import type { Parsed } from '../problem.ts';
import { checkSense, checkShape } from './check.ts';
import { legacyPointer, type MigrationOptions, migrateAIDocument } from './migrate.ts';
import type { AIDocumentProblem, AIDocumentProblemCode, Finding } from './problems.ts';
import { aiDocumentProblem } from './report.ts';
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
	const report = new TextProblems(typeof input === 'string' ? input : '', aiDocumentProblem);
	const add = ({ code, args }: Finding, at: number) => report.add(code, at, args);
	const value = typeof input === 'string' ? readText(input, options, add) : readValue(input, options, add);
	return { value, problems: report.close('aidocument-omitted') };
}

/** The problems of a document alone: what `parseAIDocument` finds. */
export function checkAIDocument(input: unknown): readonly AIDocumentProblem[] {
	return parseAIDocument(input).problems;
}

type Add = (finding: Finding, offset: number) => void;

function readValue(input: unknown, options: MigrationOptions, add: Add): AIDocument | undefined {
	const { value, findings } = route(input, options);
	for (const finding of findings) add(finding, -1);
	return value;
}

function readText(text: string, options: MigrationOptions, add: Add): AIDocument | undefined {
	if (text.startsWith('\ufeff')) add({ code: 'aidocument-byte-order-mark', pointer: '' }, 0);
	const reading = readJson(text);
	if (reading.fault !== undefined) {
		const code = reading.fault === 'depth' ? 'aidocument-too-deep' : 'aidocument-not-json';
		add({ code, pointer: '', args: { limit: maxJsonDepth } }, reading.offset);
		return undefined;
	}
	const { value, findings } = route(reading.value, options);
	if (findings.length > 0) {
		const offsetOf = locatePointers(
			text,
			findings.map(({ pointer }) => pointer),
		);
		const placed = findings.map((finding) => ({ finding, offset: offsetOf(finding.pointer) }));
		for (const { finding, offset } of placed.sort((a, b) => a.offset - b.offset)) add(finding, offset);
	}
	return value;
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
