import { checkText } from '../internal/document-text.ts';
import { isObject } from '../internal/json-schema.ts';
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
	let value: AIDocument | undefined;
	const read = (json: unknown): readonly Finding[] => {
		const routed = route(json, options);
		value = routed.value;
		return routed.findings;
	};
	if (typeof input === 'string') checkText('aidocument', input, report, read);
	else for (const { code, args } of read(input)) report.add(code, -1, args);
	return { value, problems: report.close('aidocument-omitted') };
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
