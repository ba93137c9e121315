import { digest } from '../chunks/digest.ts';
import { annotations, dialects, formats, keywordsOf, limits, ownKeywords, type TypeName } from './keywords.ts';
import type { ArrayNode, FieldNode, Naming, ObjectNode, ScalarNode } from './nodes.ts';
import { readPicks } from './picks.ts';
import { camelCase, generic, labelsOf, termsOf, typesNamed, unitsOf, wordsOf } from './terms.ts';
import { escapePointer, labelForm } from './text-forms.ts';
import { FieldSchemaError } from './types.ts';

type Json = Readonly<Record<string, unknown>>;

/** A schema that can be filled. */
export interface CompiledSchema {
	readonly root: ObjectNode | ArrayNode;
	readonly digest: string;
	/** JSON pointer of the first `x-select`, if there is one: only HTML can answer it. */
	readonly selectAt: string | undefined;
}

type PatternTest = (source: string) => { test(text: string): boolean };

/**
 * Reads a JSON Schema (draft 2020-12 or draft-07).
 *
 * @throws FieldSchemaError names the first keyword that cannot be read, by JSON pointer
 */
export async function compileSchema(schema: unknown): Promise<CompiledSchema> {
	const text = JSON.stringify(schema) ?? '';
	if (!isJson(schema)) throw new FieldSchemaError('', 'a JSON Schema is an object; this is something else');
	if (text.length > limits.characters)
		throw new FieldSchemaError('', `it has ${text.length} characters; at most ${limits.characters} are read`);
	const dialect = schema.$schema;
	if (dialect !== undefined && !(typeof dialect === 'string' && dialects.test(dialect)))
		throw new FieldSchemaError(
			'/$schema',
			`${shown(dialect)} is not supported; use https://json-schema.org/draft/2020-12/schema or http://json-schema.org/draft-07/schema#`,
		);
	const compiler = new Compiler(schema, text.includes('"pattern"') ? await linearPatterns() : undefined);
	const root = compiler.node({ schema, pointer: '', key: '', depth: 0, path: [], around: [] });
	if (root.kind === 'scalar')
		throw new FieldSchemaError('/type', 'the schema must describe an object or an array of objects');
	return { root, digest: digest(text), selectAt: compiler.selectAt };
}

/** RE2 matches in linear time, whatever the pattern: neither a schema nor a page can make it hang. */
async function linearPatterns(): Promise<PatternTest> {
	const { RE2JS } = await import('re2js');
	return (source) => {
		const pattern = RE2JS.compile(RE2JS.translateRegExp(source));
		return { test: (text) => pattern.matcher(text).find() };
	};
}

interface Place {
	readonly schema: unknown;
	readonly pointer: string;
	readonly key: string;
	readonly depth: number;
	/** `$ref`s that lead here. */
	readonly path: readonly string[];
	/** Names of the objects around, innermost first. */
	readonly around: readonly string[];
}

class Compiler {
	selectAt: string | undefined;
	#fields = 0;
	readonly #root: Json;
	readonly #patterns: PatternTest | undefined;

	constructor(root: Json, patterns: PatternTest | undefined) {
		this.#root = root;
		this.#patterns = patterns;
	}

	node(given: Place): FieldNode {
		const place = this.#resolved(given);
		const { pointer, depth } = place;
		const schema = place.schema as Json;
		if (++this.#fields > limits.fields)
			throw new FieldSchemaError(pointer, `the schema has more than ${limits.fields} fields`);
		if (depth > limits.depth) throw new FieldSchemaError(pointer, `it is nested deeper than ${limits.depth} levels`);
		refuseUnsupported(schema, pointer);
		const type = typeOf(schema, pointer);
		refuseMisplaced(schema, type, pointer);
		if (type === 'object') return this.#object(schema, place);
		if (type === 'array') return this.#array(schema, place);
		return this.#scalar(schema, type, place);
	}

	/** Follows `$ref`, and `anyOf` or `oneOf` of one schema and null. Keywords beside them count too. */
	#resolved(place: Place): Place {
		const { schema, pointer } = place;
		if (!isJson(schema)) throw new FieldSchemaError(pointer, 'a schema is an object here; true and false say nothing');
		const { $ref, ...beside } = schema;
		if ($ref !== undefined) {
			if (place.path.includes(String($ref)))
				throw new FieldSchemaError(
					`${pointer}/$ref`,
					`${shown($ref)} leads back to itself; a page has no endless values`,
				);
			const target = this.#target($ref, pointer);
			return this.#resolved({ ...place, schema: { ...target, ...beside }, path: [...place.path, String($ref)] });
		}
		for (const name of ['anyOf', 'oneOf'] as const) {
			const { [name]: branches, ...rest } = schema;
			if (branches === undefined) continue;
			const own = Array.isArray(branches) ? branches.filter((one) => !(isJson(one) && one.type === 'null')) : [];
			if (own.length !== 1 || !isJson(own[0]))
				throw new FieldSchemaError(
					`${pointer}/${name}`,
					'only one schema beside {"type":"null"} is supported; write two properties instead',
				);
			return this.#resolved({ ...place, schema: { ...own[0], ...rest } });
		}
		return place;
	}

	#target(Ref: unknown, pointer: string): Json {
		const segments = typeof Ref === 'string' && /^#\/(?:\$defs|definitions)\//.test(Ref) ? Ref.slice(2).split('/') : [];
		let at: unknown = segments.length > 0 ? this.#root : undefined;
		for (const segment of segments) {
			const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
			at = isJson(at) && Object.hasOwn(at, name) ? at[name] : undefined;
		}
		if (isJson(at)) return at;
		throw new FieldSchemaError(
			`${pointer}/$ref`,
			`${shown(Ref)} leads to no schema; only references into #/$defs/ and #/definitions/ of this schema are followed`,
		);
	}

	#object(schema: Json, place: Place): ObjectNode {
		const { pointer, key, depth, path, around } = place;
		const { properties, required = [] } = schema;
		if (!isJson(properties) || Object.keys(properties).length === 0)
			throw new FieldSchemaError(`${pointer}/properties`, 'an object needs properties: they say what to look for');
		for (const name of ['additionalProperties', 'unevaluatedProperties'])
			if (schema[name] !== undefined && typeof schema[name] !== 'boolean')
				throw new FieldSchemaError(`${pointer}/${name}`, 'only true and false are supported');
		if (!isTexts(required)) throw new FieldSchemaError(`${pointer}/required`, 'it must be a list of names');
		const unknown = required.findIndex((name) => !Object.hasOwn(properties, name));
		if (unknown >= 0)
			throw new FieldSchemaError(`${pointer}/required/${unknown}`, `${shown(required[unknown])} is not in properties`);
		const inner = Object.entries(properties).map(([name, own]): [string, FieldNode] => [
			name,
			this.node({
				schema: own,
				pointer: `${pointer}/properties/${escapePointer(name)}`,
				key: name,
				depth: depth + 1,
				path,
				around: key === '' ? around : [key, ...around],
			}),
		]);
		return {
			kind: 'object',
			naming: this.#naming(schema, place, 'object'),
			properties: new Map(inner),
			required: new Set(required),
			types: readTypes(schema, place),
		};
	}

	#array(schema: Json, place: Place): ArrayNode {
		const { pointer, depth } = place;
		if (!isJson(schema.items)) throw new FieldSchemaError(`${pointer}/items`, 'an array needs the schema of its items');
		const types = schema['x-type'] === undefined ? {} : { 'x-type': schema['x-type'] };
		const inner = { ...place, schema: { ...types, ...schema.items }, pointer: `${pointer}/items`, depth: depth + 1 };
		const items = this.node(inner);
		if (items.kind === 'array')
			throw new FieldSchemaError(`${pointer}/items`, 'lists of lists are not supported; use a list of objects');
		for (const name of ['minItems', 'maxItems']) requireCount(schema, name, pointer);
		return {
			kind: 'array',
			naming: this.#naming(schema, place, items.kind),
			items,
			minItems: schema.minItems as number | undefined,
			maxItems: schema.maxItems as number | undefined,
			uniqueItems: schema.uniqueItems === true,
		};
	}

	#scalar(schema: Json, type: ScalarNode['type'], place: Place): ScalarNode {
		const { pointer } = place;
		const { format, pattern } = schema;
		if (format !== undefined && !(formats as readonly unknown[]).includes(format))
			throw new FieldSchemaError(
				`${pointer}/format`,
				`the format ${shown(format)} is not supported; available are ${formats.join(', ')}`,
			);
		for (const name of ['minLength', 'maxLength']) requireCount(schema, name, pointer);
		for (const name of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const)
			if (schema[name] !== undefined && typeof schema[name] !== 'number')
				throw new FieldSchemaError(`${pointer}/${name}`, 'it must be a number');
		return {
			kind: 'scalar',
			naming: this.#naming(schema, place, 'scalar'),
			type,
			choices: choicesOf(schema, pointer),
			format: format === 'url' ? 'uri' : (format as string | undefined),
			pattern: this.#pattern(pattern, pointer),
			...(pick(schema, ['minLength', 'maxLength', 'minimum', 'maximum']) as object),
			...(pick(schema, ['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']) as object),
		};
	}

	#pattern(pattern: unknown, pointer: string): ScalarNode['pattern'] {
		if (pattern === undefined) return undefined;
		if (typeof pattern !== 'string' || pattern.length > limits.pattern)
			throw new FieldSchemaError(`${pointer}/pattern`, `it must be a text of at most ${limits.pattern} characters`);
		try {
			return { source: pattern, test: this.#patterns!(pattern).test };
		} catch (error) {
			throw new FieldSchemaError(
				`${pointer}/pattern`,
				`${shown(pattern)} is not a pattern of RE2, which has no look-around and no back references: ${(error as Error).message}`,
			);
		}
	}

	#naming(schema: Json, place: Place, kind: 'scalar' | 'object'): Naming {
		const { pointer, key, around } = place;
		const title = typeof schema.title === 'string' ? schema.title : '';
		const terms = readTexts(schema, 'x-term', pointer)?.map((path) => path.split('.'));
		const own = readTexts(schema, 'x-labels', pointer);
		if (schema['x-select'] !== undefined) this.selectAt ??= `${pointer}/x-select`;
		const { labels, columns } = labelsFor(key, title, around[0]);
		return {
			key,
			terms: terms ?? (key === '' ? [] : termsOf(key, kind)),
			isExplicit: terms !== undefined,
			selectors: readPicks(schema['x-select'], `${pointer}/x-select`),
			labels: formsOf(own ?? labels),
			columns: formsOf(own ?? columns),
			words: new Set([...wordsOf(key), ...wordsOf(title), ...(own ?? []).flatMap(wordsOf), ...unitsOf(key)]),
		};
	}
}

/** The labels of a field in a document, and in a table whose rows are objects. */
function labelsFor(key: string, title: string, outer: string | undefined) {
	const plain = key === '' ? [] : [...labelsOf(key), ...(title === '' ? [] : [title])];
	if (outer === undefined) return { labels: plain, columns: plain };
	const things = labelsOf(outer);
	const named = things.slice(0, 2).flatMap((thing) => plain.map((label) => `${thing} ${label}`));
	// The name of a thing is stated by the label of the thing: `Brand: Acme`.
	const ofThing = plain[0] === 'name' ? [...things, ...things.map((thing) => thing.replace(/s$/, ''))] : [];
	const labels = generic.has(camelCase(key)) ? [...named, ...ofThing] : [...plain, ...named];
	return { labels, columns: [...plain, ...named, ...ofThing] };
}

const formsOf = (labels: readonly string[]): ReadonlySet<string> =>
	new Set(labels.map(labelForm).filter((label) => label !== ''));

function readTypes(schema: Json, { pointer, key }: Place): readonly string[] {
	const written = readTexts(schema, 'x-type', pointer);
	if (written !== undefined) return written.map((type) => type.replace(/^https?:\/\/schema\.org\//, ''));
	const title = typeof schema.title === 'string' ? typesNamed(schema.title) : undefined;
	return title ?? typesNamed(key) ?? [];
}

/** The type that a schema states, or that its keywords imply; null is what a missing field would be. */
function typeOf(schema: Json, pointer: string): TypeName {
	const { type } = schema;
	const named = (Array.isArray(type) ? type : [type]).filter((name) => name !== 'null');
	const [one] = named;
	if (named.length === 1 && typeof one === 'string' && Object.hasOwn(keywordsOf, one)) return one as TypeName;
	if (type !== undefined)
		throw new FieldSchemaError(
			`${pointer}/type`,
			`${shown(type)} is not supported; use one of ${Object.keys(keywordsOf).join(', ')}, with "null" beside it or not`,
		);
	if (schema.properties !== undefined) return 'object';
	if (schema.items !== undefined) return 'array';
	const choices = Array.isArray(schema.enum) ? schema.enum : schema.const === undefined ? [] : [schema.const];
	const kinds = new Set(choices.map((choice) => typeof choice));
	const [kind] = kinds;
	if (kinds.size === 1 && (kind === 'string' || kind === 'number' || kind === 'boolean')) return kind;
	throw new FieldSchemaError(
		pointer === '' ? '/type' : `${pointer}/type`,
		'state a type: string, number, integer, boolean, object or array',
	);
}

const types = Object.keys(keywordsOf) as TypeName[];

/** The types that a keyword speaks of. */
const typesOf = (name: string): readonly TypeName[] =>
	types.filter((type) => keywordsOf[type].split(' ').includes(name));

/** Keywords beginning with x- belong to other tools, unless they are nearly ours. */
function refuseUnsupported(schema: Json, pointer: string): void {
	for (const name of Object.keys(schema)) {
		if (name === 'type' || annotations.has(name) || typesOf(name).length > 0) continue;
		const suggestion = name.startsWith('x-') ? ownKeywords.find((own) => isNear(own, name)) : undefined;
		if (name.startsWith('x-') && suggestion === undefined) continue;
		throw new FieldSchemaError(
			`${pointer}/${escapePointer(name)}`,
			suggestion === undefined
				? `the keyword ${name} is not supported; remove it`
				: `there is no keyword ${name}; did you mean ${suggestion}?`,
		);
	}
}

function refuseMisplaced(schema: Json, type: TypeName, pointer: string): void {
	for (const name of Object.keys(schema)) {
		const own = typesOf(name);
		if (own.length > 0 && !own.includes(type))
			throw new FieldSchemaError(
				`${pointer}/${escapePointer(name)}`,
				`${name} is for ${own.join(' and ')}; this is of type ${type}`,
			);
	}
}

/** Whether two keywords differ by a letter that is missing, added, replaced or swapped. */
function isNear(known: string, written: string): boolean {
	const a = known.replace(/[^a-z]/g, '');
	const b = written
		.toLowerCase()
		.replace(/[^a-z]/g, '')
		.replace(/s$/, '');
	if (a === b || a.replace(/s$/, '') === b) return true;
	if (Math.abs(a.length - b.length) > 1) return false;
	const sorted = (text: string) => [...text].sort().join('');
	if (sorted(a) === sorted(b)) return true;
	let start = 0;
	while (start < a.length && a[start] === b[start]) start++;
	let end = 0;
	while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
	return Math.max(a.length, b.length) - start - end <= 1;
}

function choicesOf(schema: Json, pointer: string): readonly unknown[] | undefined {
	const { enum: choices, const: only } = schema;
	if (choices !== undefined && !(Array.isArray(choices) && choices.length > 0 && choices.length <= limits.choices))
		throw new FieldSchemaError(`${pointer}/enum`, `it must be a list of 1 to ${limits.choices} values`);
	return (
		(choices as unknown[] | undefined)?.filter((choice) => choice !== null) ?? (only === undefined ? undefined : [only])
	);
}

function requireCount(schema: Json, name: string, pointer: string): void {
	const value = schema[name];
	if (value !== undefined && !(Number.isInteger(value) && (value as number) >= 0))
		throw new FieldSchemaError(`${pointer}/${name}`, 'it must be a whole number from 0');
}

/** A text, or a list of some. */
function readTexts(schema: Json, name: string, pointer: string): readonly string[] | undefined {
	const value = schema[name];
	if (value === undefined) return undefined;
	const all = Array.isArray(value) ? value : [value];
	if (!isTexts(all) || all.length === 0 || all.length > limits.alternatives || all.includes(''))
		throw new FieldSchemaError(
			`${pointer}/${name}`,
			`it must be a text or a list of 1 to ${limits.alternatives} texts`,
		);
	return all;
}

function pick(schema: Json, names: readonly string[]): Json {
	return Object.fromEntries(names.filter((name) => schema[name] !== undefined).map((name) => [name, schema[name]]));
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 100);

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const isTexts = (value: unknown): value is readonly string[] =>
	Array.isArray(value) && value.every((one) => typeof one === 'string');
