import { excerpt } from '../internal/text-problems.ts';
import type { Parsed } from '../problem.ts';
import type { SomProblem, SomProblemCode } from './problems.ts';
import { somProblem } from './report.ts';
import type { SomDeclaration, SomMetaTag, SomRecord, SomTarget, Stated } from './types.ts';
import { readChoice, readCount, readHttpUrl, somAuths, somFormats, somScopes } from './values.ts';

export type ParsedSom = Parsed<SomDeclaration, SomProblemCode>;

/**
 * Reads the SOM directives of a robots.txt (SOM directives §4.2). They count file-wide wherever they stand, and the
 * first valid line of each name wins. Records with other keys are passed over.
 */
export function parseSomRecords(records: readonly SomRecord[]): ParsedSom {
	const parsed = readDirectives(records, Object.keys(readers));
	const { target, ...rest } = parsed.value;
	const [lonely] = Object.values(rest);
	if (target !== undefined || lonely === undefined) return parsed;
	const name = records.find(({ line }) => line === lonely.line)?.key ?? '';
	return { value: parsed.value, problems: [...parsed.problems, somProblem('som-endpoint-missing', lonely, { name })] };
}

/** The problems alone of the SOM directives of a robots.txt. */
export function checkSom(records: readonly SomRecord[]): readonly SomProblem[] {
	return parseSomRecords(records).problems;
}

/** Reads `<meta name="som-endpoint" …>` and its kind: endpoint, format and scope (SOM directives §5.1). */
export function parseSomMeta(tags: readonly SomMetaTag[]): ParsedSom {
	const records = tags.map(({ name, content, line = 0 }) => ({ key: name, value: content, line, column: 0 }));
	return readDirectives(records, ['som-endpoint', 'som-format', 'som-scope']);
}

type Field = keyof SomDeclaration;
type Reading = { readonly value: unknown } | undefined;

interface Reader {
	readonly field: Field;
	/** Nothing where the value is not valid and a later line may do. */
	readonly read: (text: string) => Reading;
	readonly complaint: SomProblemCode;
	/** An unknown value is no absence: it makes the endpoint unusable. */
	readonly unknownCounts?: true;
}

const readers: Readonly<Record<string, Reader>> = {
	'som-endpoint': { field: 'target', read: readEndpoint, complaint: 'som-invalid-endpoint' },
	'som-format': {
		field: 'format',
		read: (text) => found(readChoice(somFormats, text)),
		complaint: 'som-unknown-format',
		unknownCounts: true,
	},
	'som-scope': { field: 'scope', read: (text) => found(readChoice(somScopes, text)), complaint: 'som-unknown-scope' },
	'som-freshness': { field: 'freshness', read: (text) => found(readCount(text)), complaint: 'som-invalid-number' },
	'som-token-budget': { field: 'tokenBudget', read: (text) => found(readCount(text)), complaint: 'som-invalid-number' },
	'som-auth': {
		field: 'auth',
		read: (text) => found(readChoice(somAuths, text)),
		complaint: 'som-unknown-auth',
		unknownCounts: true,
	},
};

function readEndpoint(text: string): Reading {
	const url = readHttpUrl(text.trim());
	const target: SomTarget | undefined = url && { kind: 'endpoint', url: url.href };
	return found(target);
}

function found(value: unknown): Reading {
	return value === undefined ? undefined : { value };
}

function readDirectives(records: readonly SomRecord[], names: readonly string[]): ParsedSom {
	const stated = new Map<Field, Stated<unknown>>();
	const problems: SomProblem[] = [];
	for (const record of records) {
		const name = record.key.trim().toLowerCase();
		if (!name.startsWith('som-')) continue;
		const reader = names.includes(name) ? readers[name] : undefined;
		if (reader === undefined) problems.push(somProblem('som-unknown-directive', record, { name: record.key }));
		else problems.push(...readOne(record, reader, stated));
	}
	return { value: Object.fromEntries(stated) as SomDeclaration, problems };
}

function readOne(record: SomRecord, reader: Reader, stated: Map<Field, Stated<unknown>>): SomProblem[] {
	const { line, column, value: written } = record;
	const args = { name: record.key, value: excerpt(written) };
	const earlier = stated.get(reader.field);
	const reading = reader.read(written);
	if (earlier !== undefined && (earlier.value !== undefined || reading === undefined)) {
		return [somProblem('som-repeated', record, { ...args, first: earlier.line })];
	}
	if (reading !== undefined) {
		stated.set(reader.field, { value: reading.value, written, line, column });
		return reader.field === 'target' ? checkEndpoint(record, reading.value as SomTarget) : [];
	}
	if (reader.unknownCounts) stated.set(reader.field, { value: undefined, written, line, column });
	return [somProblem(reader.complaint, record, args)];
}

function checkEndpoint(record: SomRecord, { url }: SomTarget): SomProblem[] {
	const { protocol, pathname } = new URL(url);
	const args = { value: excerpt(url) };
	return [
		...(protocol === 'https:' ? [] : [somProblem('som-endpoint-not-https', record, args)]),
		...(pathname === '/' ? [somProblem('som-endpoint-without-path', record, args)] : []),
	];
}
