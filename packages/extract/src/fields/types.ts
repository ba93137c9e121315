/** Where a value was found. */
export interface FieldSource {
	/**
	 * `structured-data` is an item of a stored page, whose syntaxes are merged. `page` is the metadata of the page, and
	 * `document` its text: a list of definitions, a table, or a line `label: value`.
	 */
	readonly from: 'json-ld' | 'microdata' | 'rdfa' | 'structured-data' | 'meta' | 'selector' | 'page' | 'document';
	/** The place: `Product.offers.price`, `product:price:amount`, `h1.name`, `title`, `table: Weight`. */
	readonly at: string;
	/** The text or number there, if the value is written differently. */
	readonly raw?: string | number | boolean;
}

/** A value that was found and does not fit the schema. */
export interface InvalidField extends FieldSource {
	/** JSON pointer into `values`. */
	readonly field: string;
	readonly problem: string;
}

/** A field for which equal sources have different values. */
export interface AmbiguousField {
	/** JSON pointer into `values`. */
	readonly field: string;
	readonly candidates: readonly FieldSource[];
}

/** A JSON Schema filled from a page. No value is made up: each has its source. */
export interface Fields {
	/** Digest of the schema. */
	readonly schema: string;
	/** `document`: read from a stored document, without the selectors and meta tags that only the HTML has. */
	readonly basis: 'html' | 'document';
	/** Whether `values` satisfies the schema: no required field is missing. */
	readonly valid: boolean;
	/** An object, or a list where the schema is one. */
	readonly values: Readonly<Record<string, unknown>> | readonly unknown[];
	/** By JSON pointer into `values`. */
	readonly sources: Readonly<Record<string, FieldSource>>;
	/** JSON pointers of fields that were not found. */
	readonly missing: readonly string[];
	readonly invalid?: readonly InvalidField[];
	readonly ambiguous?: readonly AmbiguousField[];
}

/** A keyword of a schema that cannot be read. */
export class FieldSchemaError extends Error {
	/** JSON pointer into the schema (RFC 6901). */
	readonly pointer: string;
	readonly problem: string;

	constructor(pointer: string, problem: string) {
		super(`${pointer === '' ? 'the schema' : `at ${pointer}`}: ${problem}`);
		this.name = 'FieldSchemaError';
		this.pointer = pointer;
		this.problem = problem;
	}
}
