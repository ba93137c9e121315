import { explainSchemaIssue, nearestWord } from '@wayleave/io/messages';
import type { z } from 'zod';
import { configJsonSchema, configSchema } from './schema.ts';

/** Something in a policy file that is not allowed, by its path as it is written there. */
export interface Mistake {
	readonly path: readonly PropertyKey[];
	/** A sentence for the author of the file. */
	readonly message: string;
}

/**
 * All that is wrong with a policy, in one go: a misspelt key is read as the one that is meant, so that what is below it
 * is checked too.
 */
export function findMistakes(policy: unknown): Mistake[] {
	if (policy === null || policy === undefined)
		return [{ path: [], message: 'the file is empty: set at least "origin"' }];
	const value = structuredCloneOr(policy);
	const mistakes: Mistake[] = [];
	/** Renamed keys: the path that is meant → the key that is written. */
	const written = new Map<string, PropertyKey>();
	const asWritten = (path: readonly PropertyKey[]) =>
		path.map((step, at) => written.get(path.slice(0, at + 1).join('\0')) ?? step);
	for (;;) {
		const issues = configSchema.safeParse(value, { error: explainSchemaIssue }).error?.issues.flatMap(inside) ?? [];
		const unknown = issues.flatMap(unknownKeys);
		for (const { parent, key } of unknown) {
			const nearest = nearestWord(key, knownKeys(parent));
			mistakes.push({ path: asWritten([...parent, key]), message: `unknown key${suggestion(nearest)}` });
			const holder = valueAt(value, parent);
			if (holder === undefined || !Object.hasOwn(holder, key)) continue;
			if (nearest !== undefined && !Object.hasOwn(holder, nearest)) {
				holder[nearest] = holder[key];
				written.set([...parent, nearest].join('\0'), key);
			}
			delete holder[key];
		}
		if (unknown.length > 0) continue;
		return [...mistakes, ...issues.map(mistakeOf).map(({ path, message }) => ({ path: asWritten(path), message }))];
	}
}

const suggestion = (nearest: string | undefined): string => (nearest === undefined ? '' : `; did you mean ${nearest}?`);

/** Functions and the like, which a module may export by mistake, cannot be cloned: they are checked as they are. */
function structuredCloneOr(value: unknown): unknown {
	try {
		return structuredClone(value);
	} catch {
		return value;
	}
}

type Issue = z.core.$ZodIssue;

/** Keys that an object does not have, and names that a record with a closed list of names does not have. */
function unknownKeys(issue: Issue): { parent: readonly PropertyKey[]; key: string }[] {
	if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ parent: issue.path, key }));
	if (issue.code !== 'invalid_key') return [];
	const closed = issue.issues.some(({ code }) => code === 'invalid_value');
	const key = issue.path.at(-1);
	return closed && typeof key === 'string' ? [{ parent: issue.path.slice(0, -1), key }] : [];
}

/** Of a value that may have several forms, what is wrong inside the form that it has. */
function inside(issue: Issue): Issue[] {
	if (issue.code !== 'invalid_union') return [issue];
	const form = issue.errors.find((issues) => issues.some(({ path }) => path.length > 0 || unknownForm(issues)));
	if (form === undefined) return [issue];
	return form.flatMap((each) => inside({ ...each, path: [...issue.path, ...each.path] } as Issue));
}

const unknownForm = (issues: readonly { readonly code?: string }[]): boolean =>
	issues.some(({ code }) => code === 'unrecognized_keys');

function mistakeOf(issue: Issue): Mistake {
	const { path, message } = issue;
	if (issue.code === 'invalid_key') return { path, message: issue.issues[0]?.message ?? message };
	const [description] = schemasAt(path).flatMap(({ description: text }) => text ?? []);
	if (message.startsWith('it is missing') || message.startsWith('a value is missing')) {
		const what = description ?? message.replace(/^(?:it|a value) is missing(?:: )?/, '');
		return { path, message: what === '' ? 'is missing' : `is missing: ${what}` };
	}
	const keys = knownKeys(path);
	const isGroup = message.startsWith('expected keys with their values') && keys.length > 0;
	return { path, message: isGroup ? `expected keys with their values: ${keys.slice(0, 6).join(', ')}` : message };
}

function valueAt(value: unknown, path: readonly PropertyKey[]): Record<PropertyKey, unknown> | undefined {
	let found: unknown = value;
	for (const step of path) found = (found as Record<PropertyKey, unknown> | undefined)?.[step];
	return typeof found === 'object' && found !== null ? (found as Record<PropertyKey, unknown>) : undefined;
}

/** As much of JSON Schema as the policy file uses. */
interface JsonSchema {
	readonly description?: string;
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly additionalProperties?: JsonSchema | boolean;
	readonly propertyNames?: { readonly enum?: readonly string[] };
	readonly items?: JsonSchema;
	readonly anyOf?: readonly JsonSchema[];
	readonly allOf?: readonly JsonSchema[];
}

function knownKeys(path: readonly PropertyKey[]): string[] {
	return schemasAt(path).flatMap(({ properties = {}, propertyNames }) => [
		...Object.keys(properties),
		...(propertyNames?.enum ?? []),
	]);
}

/** The schemas that a value at a path may have. */
function schemasAt(path: readonly PropertyKey[]): readonly JsonSchema[] {
	let schemas = forms(configJsonSchema() as JsonSchema);
	for (const step of path)
		schemas = schemas.flatMap(({ properties, additionalProperties, items }) => {
			const next = typeof step === 'number' ? items : (properties?.[String(step)] ?? additionalProperties);
			return typeof next === 'object' ? forms(next) : [];
		});
	return schemas;
}

const forms = (schema: JsonSchema): JsonSchema[] => [
	schema,
	...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap(forms),
];
