import { nearestWord } from './nearest-word.ts';

/** What a schema library says about one value, as far as it is needed here. */
export interface SchemaIssue {
	readonly code?: string | undefined;
	readonly message?: string | undefined;
	readonly input?: unknown;
	readonly path?: readonly PropertyKey[] | undefined;
	readonly [detail: string]: unknown;
}

/**
 * The sentence for what a schema does not allow, in the words of whoever writes the file or the request. For schemas
 * that have no sentence of their own: give it to Zod as its `error`.
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
			return 'there is no such key';
		case 'too_small':
			return bounded(issue, 'minimum', 'at least');
		case 'too_big':
			return bounded(issue, 'maximum', 'at most');
		case 'not_multiple_of':
			return `a multiple of ${String(issue.divisor)} is wanted`;
		case 'invalid_format':
			return wantedFormat(String(issue.format), input);
		case 'invalid_union':
			return unionText(issue);
		case 'unrecognized_keys':
			return `there is no such key: ${((issue.keys as readonly string[] | undefined) ?? []).join(', ')}`;
		default:
			return 'this value is not allowed';
	}
}

/** `one of no, yes`, with the one that was probably meant. */
export function oneOf(values: readonly unknown[], input: unknown): string {
	const known = values.map(String);
	if (input === undefined) return `it is missing: one of ${known.join(', ')}`;
	const list = known.length === 1 ? `${known[0]} is wanted` : `one of ${known.join(', ')}`;
	const meant = typeof input === 'string' ? nearestWord(input, known) : undefined;
	return meant === undefined || known.length === 1 ? list : `${list}: ${meant} is meant?`;
}

function wantedType(expected: string, input: unknown): string {
	if (input === undefined) return 'it is missing';
	if (input === null) return `a value is missing: ${typeNames[expected] ?? 'one'} is wanted`;
	const text = typeof input === 'string' ? input.trim() : undefined;
	switch (expected) {
		case 'number':
		case 'int':
			if (Number.isNaN(input)) return 'a number is wanted';
			if (text !== undefined && text !== '' && Number.isFinite(Number(text)))
				return `a number without quotes: ${Number(text)}`;
			return typeof input === 'number' ? 'a whole number is wanted' : 'a number is wanted, such as 30';
		case 'boolean':
			if (text !== undefined && /^(?:true|yes|on)$/i.test(text)) return 'true without quotes is wanted';
			if (text !== undefined && /^(?:false|no|off)$/i.test(text)) return 'false without quotes is wanted';
			return 'true or false is wanted';
		case 'string':
			if (typeof input === 'number' || typeof input === 'boolean') return `text in quotes is wanted: "${input}"`;
			return 'text is wanted';
		case 'array':
			if (text !== undefined) return `a list is wanted: ["${text}"]`;
			return typeof input === 'number' ? `a list is wanted: [${input}]` : 'a list is wanted: [ … ]';
		case 'object':
		case 'record':
			return Array.isArray(input)
				? 'keys with their values are wanted, not a list'
				: 'keys with their values are wanted: { key: value }';
		default:
			return 'a value of another kind is wanted';
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
			if (side === 'minimum' && one) return 'text is wanted, and this is empty';
			return `${words} ${limit} ${one ? 'character' : 'characters'}`;
		case 'array':
		case 'set':
			if (side === 'minimum' && one) return 'a list with at least one entry is wanted';
			return `${words} ${limit} ${one ? 'entry' : 'entries'}`;
		default: {
			if (issue.inclusive === false) {
				if (side === 'minimum' && limit === '0') return 'a number of at least 1 is wanted';
				return `a number ${side === 'minimum' ? 'greater' : 'less'} than ${limit} is wanted`;
			}
			return `a number of ${words} ${limit} is wanted`;
		}
	}
}

function wantedFormat(format: string, input: unknown): string {
	switch (format) {
		case 'url': {
			const bare = typeof input === 'string' && /^[\w-]+(?:\.[\w-]+)+(?:[:/]\S*)?$/.test(input) ? input : 'example.com';
			return `an address with its scheme is wanted: https://${bare}`;
		}
		case 'email':
			return 'an e-mail address is wanted: someone@example.com';
		case 'datetime':
			return 'a time is wanted: 2026-01-31T12:00:00Z';
		default:
			return 'it is not written as it must be';
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
