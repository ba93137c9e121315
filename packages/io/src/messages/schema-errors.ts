import { nearestWord } from './nearest-word.ts';

/** The part of a schema library's issue that is needed here. */
export interface SchemaIssue {
	readonly code?: string | undefined;
	readonly message?: string | undefined;
	readonly input?: unknown;
	readonly path?: readonly PropertyKey[] | undefined;
	readonly [detail: string]: unknown;
}

/**
 * The sentence for what a schema does not allow, in the words of the author of the file or request. For schemas that
 * have no sentence of their own: give it to Zod as its `error`.
 *
 * @example
 * schema.safeParse(value, { error: explainSchemaIssue })
 */
export function explainSchemaIssue(issue: SchemaIssue): string {
	const { code, input } = issue;
	switch (code) {
		case 'invalid_type':
			return wantedType(String(issue.expected), input);
		case 'invalid_value':
			return oneOf((issue.values as readonly unknown[] | undefined) ?? [], input);
		case 'invalid_key':
			return 'unknown key';
		case 'too_small':
			return bounded(issue, 'minimum', 'at least');
		case 'too_big':
			return bounded(issue, 'maximum', 'at most');
		case 'not_multiple_of':
			return `expected a multiple of ${String(issue.divisor)}`;
		case 'invalid_format':
			return wantedFormat(String(issue.format), input);
		case 'invalid_union':
			return unionText(issue);
		case 'unrecognized_keys':
			return `unknown key: ${((issue.keys as readonly string[] | undefined) ?? []).join(', ')}`;
		default:
			return 'this value is not allowed';
	}
}

/** `one of no, yes`, with the one that was probably meant. */
export function oneOf(values: readonly unknown[], input: unknown): string {
	const known = values.map(String);
	if (input === undefined) return `it is missing: expected one of ${known.join(', ')}`;
	const list = known.length === 1 ? `expected ${known[0]}` : `expected one of ${known.join(', ')}`;
	const nearest = typeof input === 'string' ? nearestWord(input, known) : undefined;
	return nearest === undefined || known.length === 1 ? list : `${list}; did you mean ${nearest}?`;
}

function wantedType(expected: string, input: unknown): string {
	if (input === undefined) return 'it is missing';
	if (input === null) return `a value is missing: expected ${typeNames[expected] ?? 'one'}`;
	const text = typeof input === 'string' ? input.trim() : undefined;
	switch (expected) {
		case 'number':
		case 'int':
			if (Number.isNaN(input)) return 'expected a number';
			if (text !== undefined && text !== '' && Number.isFinite(Number(text)))
				return `expected a number without quotes: ${Number(text)}`;
			return typeof input === 'number' ? 'expected a whole number' : 'expected a number, such as 30';
		case 'boolean':
			if (text !== undefined && /^(?:true|yes|on)$/i.test(text)) return 'expected true without quotes';
			if (text !== undefined && /^(?:false|no|off)$/i.test(text)) return 'expected false without quotes';
			return 'expected true or false';
		case 'string':
			if (typeof input === 'number' || typeof input === 'boolean') return `expected text in quotes: "${input}"`;
			return 'expected text';
		case 'array':
			if (text !== undefined) return `expected a list: ["${text}"]`;
			return typeof input === 'number' ? `expected a list: [${input}]` : 'expected a list: [ … ]';
		case 'object':
		case 'record':
			return Array.isArray(input)
				? 'expected keys with their values, not a list'
				: 'expected keys with their values: { key: value }';
		default:
			return 'expected a value of another type';
	}
}

const typeNames: Readonly<Record<string, string>> = {
	number: 'a number',
	int: 'a whole number',
	string: 'text',
	boolean: 'true or false',
	array: 'a list',
	object: 'a group of keys',
	record: 'a group of keys',
};

function bounded(issue: SchemaIssue, side: 'minimum' | 'maximum', words: string): string {
	const limit = String(issue[side]);
	const one = limit === '1';
	switch (issue.origin) {
		case 'string':
			if (side === 'minimum' && one) return 'expected text, but this is empty';
			return `${words} ${limit} ${one ? 'character' : 'characters'}`;
		case 'array':
		case 'set':
			if (side === 'minimum' && one) return 'expected a list with at least one entry';
			return `${words} ${limit} ${one ? 'entry' : 'entries'}`;
		default: {
			if (issue.inclusive === false) {
				if (side === 'minimum' && limit === '0') return 'expected a number of at least 1';
				return `expected a number ${side === 'minimum' ? 'greater' : 'less'} than ${limit}`;
			}
			return `expected a number of ${words} ${limit}`;
		}
	}
}

function wantedFormat(format: string, input: unknown): string {
	switch (format) {
		case 'url': {
			const bare = typeof input === 'string' && /^[\w-]+(?:\.[\w-]+)+(?:[:/]\S*)?$/.test(input) ? input : 'example.com';
			return `expected a URL with its scheme: https://${bare}`;
		}
		case 'email':
			return 'expected an e-mail address: someone@example.com';
		case 'datetime':
			return 'expected a time: 2026-01-31T12:00:00Z';
		default:
			return 'it is not in the expected format';
	}
}

/** Of several forms, what is wrong with the one that was meant: the first that the value has the type of. */
function unionText(issue: SchemaIssue): string {
	const forms = (issue.errors as readonly (readonly SchemaIssue[])[] | undefined) ?? [];
	const near = forms.find((issues) => issues.length > 0 && issues.every((each) => each.code !== 'invalid_type'));
	const [first] = near ?? [];
	if (first !== undefined) return first.message || explainSchemaIssue(first);
	const wanted = forms.flatMap((issues) => (issues[0] === undefined ? [] : [issues[0]]));
	const texts = new Set(wanted.map((each) => each.message || explainSchemaIssue(each)));
	return [...texts].join(', or ') || 'this value is not allowed';
}
