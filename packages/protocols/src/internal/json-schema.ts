import { escapePointer } from './json-pointer.ts';
import { excerpt } from './text-problems.ts';

/** The part of JSON Schema 2020-12 that our own schemas use; any other validator reads them as well. */
export interface JsonSchema {
	readonly $schema?: string;
	readonly title?: string;
	readonly description?: string;
	readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
	readonly required?: readonly string[];
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly items?: JsonSchema;
	readonly enum?: readonly string[];
	readonly const?: string;
	readonly pattern?: string;
	readonly minimum?: number;
	readonly maximum?: number;
}

/** How a value departs from a schema, and where: a JSON pointer to the value, or to the place where it is missing. */
export interface Departure {
	readonly kind: 'missing' | 'type' | 'value';
	readonly pointer: string;
	/** The value that the schema expects. */
	readonly expected: string;
	/** The value found, shortened; empty if missing. */
	readonly found: string;
}

/** Lists every departure of a JSON value from a schema, in the order of the schema. */
export function departures(schema: JsonSchema, value: unknown): readonly Departure[] {
	const found: Departure[] = [];
	collect(schema, value, found);
	return found;
}

/** Whether a value is a JSON object: no array, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function collect(schema: JsonSchema, value: unknown, found: Departure[]): void {
	if (schema.type !== undefined && !hasType(schema.type, value)) {
		found.push({ kind: 'type', pointer: '', expected: schema.type, found: typeName(value) });
		return;
	}
	const expected = expectedValue(schema, value);
	if (expected !== undefined) found.push({ kind: 'value', pointer: '', expected, found: excerpt(String(value)) });
	else if (Array.isArray(value)) collectItems(schema.items, value, found);
	else if (isObject(value)) collectMembers(schema, value, found);
}

function collectItems(schema: JsonSchema | undefined, items: readonly unknown[], found: Departure[]): void {
	if (schema === undefined) return;
	for (let index = 0; index < items.length; index++) collectBelow(index, schema, items[index], found);
}

function collectMembers(schema: JsonSchema, value: Record<string, unknown>, found: Departure[]): void {
	const { required = [], properties = {} } = schema;
	for (const name of required) {
		if (Object.hasOwn(value, name)) continue;
		const expected = properties[name]?.type ?? 'value';
		found.push({ kind: 'missing', pointer: `/${escapePointer(name)}`, expected, found: '' });
	}
	for (const name in properties) {
		const expected = properties[name];
		if (expected !== undefined && Object.hasOwn(value, name)) collectBelow(name, expected, value[name], found);
	}
}

/** Pointers are put together on the way back, and only for what departs: most documents are sound. */
function collectBelow(name: string | number, schema: JsonSchema, value: unknown, found: Departure[]): void {
	const before = found.length;
	collect(schema, value, found);
	for (let index = before; index < found.length; index++) {
		const departure = found[index];
		if (departure === undefined) continue;
		found[index] = { ...departure, pointer: `/${escapePointer(String(name))}${departure.pointer}` };
	}
}

function hasType(type: string, value: unknown): boolean {
	if (type === 'integer') return Number.isInteger(value);
	if (type === 'number') return Number.isFinite(value);
	return typeName(value) === type;
}

/** The expected value in words; undefined if this one is valid. */
function expectedValue(schema: JsonSchema, value: unknown): string | undefined {
	if (schema.const !== undefined && value !== schema.const) return schema.const;
	if (schema.enum !== undefined && !schema.enum.includes(value as string)) return schema.enum.join(', ');
	if (typeof value === 'string' && schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) {
		return schema.description ?? schema.pattern;
	}
	if (typeof value !== 'number') return undefined;
	if (schema.minimum !== undefined && value < schema.minimum) return `at least ${schema.minimum}`;
	return schema.maximum !== undefined && value > schema.maximum ? `at most ${schema.maximum}` : undefined;
}

function typeName(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'array' : typeof value;
}
