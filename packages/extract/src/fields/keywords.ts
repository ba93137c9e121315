/** Keywords that say nothing about where a value is or whether it fits. */
export const annotations: ReadonlySet<string> = new Set(
	'$schema $id $comment title description default examples deprecated readOnly writeOnly $defs definitions'.split(' '),
);

/** Keywords of our own. */
export const ownKeywords = ['x-term', 'x-type', 'x-select', 'x-labels'] as const;

/** Keywords that we read, by the type of value that they speak of. */
export const keywordsOf = {
	object: 'properties required additionalProperties unevaluatedProperties x-type x-term x-select x-labels',
	array: 'items minItems maxItems uniqueItems x-type x-term x-select x-labels',
	string: 'enum const format pattern minLength maxLength x-term x-select x-labels',
	number: 'enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf x-term x-select x-labels',
	integer: 'enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf x-term x-select x-labels',
	boolean: 'enum const x-term x-select x-labels',
} as const;

export type TypeName = keyof typeof keywordsOf;

/** Formats of strings that are read and checked. */
export const formats = ['date', 'date-time', 'duration', 'email', 'time', 'uri', 'url'] as const;

/** The drafts of JSON Schema that are read. */
export const dialects =
	/^https?:\/\/json-schema\.org\/(?:draft\/2020-12\/schema|draft\/2019-09\/schema|draft-07\/schema)#?$/;

/** Bounds of a schema: a client of the service may send any. */
export const limits = { characters: 100_000, depth: 8, fields: 500, alternatives: 20, choices: 1_000, pattern: 500 };
