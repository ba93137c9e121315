import { agentCategories, isCommonToken, knownAgents } from '@wayleave/protocols/identity';
import type { DescribedAgent } from './data.ts';
import { cursorIn } from './yaml-cursor.ts';

/** A word that completes what is typed. */
export interface Suggestion {
	readonly text: string;
	/** Replaces the typed text. */
	readonly insert: string;
	/** Meaning of the suggestion, in a few words. */
	readonly detail: string;
}

export interface Suggestions {
	/** Where the typed part begins. */
	readonly from: number;
	readonly list: readonly Suggestion[];
}

/** As much of JSON Schema as policy files use. */
interface JsonSchema {
	readonly description?: string;
	readonly type?: string;
	readonly enum?: readonly unknown[];
	readonly const?: unknown;
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly additionalProperties?: JsonSchema | boolean;
	readonly propertyNames?: { readonly enum?: readonly string[] };
	readonly items?: JsonSchema;
	readonly anyOf?: readonly JsonSchema[];
	readonly allOf?: readonly JsonSchema[];
}

const maxSuggestions = 40;

/** The keys, values, agents, categories and operators that may follow at a place of a policy file. */
export function suggestionsAt(
	text: string,
	offset: number,
	schema: unknown,
	described: readonly DescribedAgent[] = [],
): Suggestions {
	const cursor = cursorIn(text, offset);
	if (cursor === undefined) return { from: offset, list: [] };
	const { path, kind, typed } = cursor;
	const schemas = schemasAt(schema as JsonSchema, path);
	const found = kind === 'key' ? keysOf(schemas, path, described) : valuesOf(schemas, path, described);
	const wanted = typed.toLowerCase();
	const list = found.filter(({ text: word }) => word.toLowerCase() !== wanted && word.toLowerCase().includes(wanted));
	// Suggestions that begin with the typed letters come first.
	list.sort((a, b) => Number(starts(b, wanted)) - Number(starts(a, wanted)));
	return { from: offset - typed.length, list: distinct(list).slice(0, maxSuggestions) };
}

const starts = ({ text }: Suggestion, typed: string): boolean => text.toLowerCase().startsWith(typed);

function distinct(list: readonly Suggestion[]): Suggestion[] {
	const seen = new Set<string>();
	return list.filter(({ text }) => !seen.has(text) && seen.add(text));
}

function keysOf(
	schemas: readonly JsonSchema[],
	path: readonly string[],
	described: readonly DescribedAgent[],
): Suggestion[] {
	const key = (text: string, detail = ''): Suggestion => ({ text, insert: `${text}: `, detail });
	if (path.join('.') === 'paths.agents') return agentNames(described).map(({ name, detail }) => key(name, detail));
	return schemas.flatMap(({ properties = {}, propertyNames }) => [
		...Object.entries(properties).map(([name, schema]) => key(name, descriptionOf(schema))),
		...(propertyNames?.enum ?? []).map((name) => key(name, path[0] === 'categories' ? 'category of agents' : '')),
	]);
}

function descriptionOf(schema: JsonSchema): string {
	const own = forms(schema).find(({ description }) => description !== undefined)?.description;
	if (own !== undefined) return own;
	const values = literalsOf(forms(schema));
	return values.length > 0 && values.length <= 6 ? values.join(', ') : '';
}

function valuesOf(
	schemas: readonly JsonSchema[],
	path: readonly string[],
	described: readonly DescribedAgent[],
): Suggestion[] {
	const value = (text: string, detail = ''): Suggestion => ({ text, insert: text, detail });
	const names = agentNames(described).map(({ name, detail }) => value(name, detail));
	if (/^ask\.[^.]+\.(?:\[\]\.)?agents\.\[\]$/.test(path.join('.'))) return names;
	if (path.join('.') === 'identity.agents.[].token') return names;
	if (path.join('.') === 'identity.agents.[].operator')
		return operators(described).map((name) => value(name, 'operator'));
	const detail = (agentCategories as readonly string[]).includes(literalsOf(schemas)[0] ?? '')
		? 'category of agents'
		: '';
	return literalsOf(schemas).map((each) => value(each, detail));
}

/** The words that a value may be. A boolean beside words is another spelling of `yes` and `no`. */
function literalsOf(schemas: readonly JsonSchema[]): string[] {
	const words = schemas.flatMap((schema) => [
		...(schema.enum ?? []),
		...(schema.const === undefined ? [] : [schema.const]),
	]);
	if (words.length > 0) return words.filter((word) => typeof word === 'string');
	return schemas.some(({ type }) => type === 'boolean') ? ['true', 'false'] : [];
}

function agentNames(described: readonly DescribedAgent[]) {
	return [...described, ...knownAgents].flatMap(({ token, name = token, operator, category }) =>
		name.split(' ').every(isCommonToken) ? [] : [{ name, detail: [operator, category].filter(Boolean).join(', ') }],
	);
}

/** The operators of known agents, by their names. */
export function operators(described: readonly DescribedAgent[] = []): string[] {
	const names = [...described, ...knownAgents].flatMap(({ operator }) => operator ?? []);
	return [...new Set(names)].sort((a, b) => a.localeCompare(b));
}

function schemasAt(schema: JsonSchema, path: readonly string[]): readonly JsonSchema[] {
	let schemas = forms(schema);
	for (const step of path)
		schemas = schemas.flatMap(({ properties, additionalProperties, items }) => {
			const own = properties !== undefined && Object.hasOwn(properties, step) ? properties[step] : additionalProperties;
			const next = step === '[]' ? items : own;
			return typeof next === 'object' ? forms(next) : [];
		});
	return schemas;
}

const forms = (schema: JsonSchema): JsonSchema[] => [
	schema,
	...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap(forms),
];
