import type { Selector } from '../dom/selectors.ts';

/** The schema of a value, with everything that says where the value is. */
export type FieldNode = ScalarNode | ObjectNode | ArrayNode;

/** What names a value on a page. */
export interface Naming {
	/** Of the property; empty for the root and for entries of lists. */
	readonly key: string;
	/** Property paths from the item of the object, in order of preference. Those of `x-term` are the only ones. */
	readonly terms: readonly (readonly string[])[];
	readonly isExplicit: boolean;
	/** By host name; `*` for all others. */
	readonly selectors: ReadonlyMap<string, readonly Pick[]>;
	/** Comparable forms of the labels that a document may have. */
	readonly labels: ReadonlySet<string>;
	/** The same for columns of a table whose rows are the objects. */
	readonly columns: ReadonlySet<string>;
	/** Lower-case words of name and title; a unit in a text must be one of them. */
	readonly words: ReadonlySet<string>;
}

/** One alternative of `x-select`. */
export interface Pick {
	readonly written: string;
	/** Empty: the element of the object itself. */
	readonly selectors: readonly Selector[];
	/** Undefined: the text. */
	readonly attribute: string | undefined;
	/** It looks at the siblings of elements. */
	readonly isPositional: boolean;
}

export interface ScalarNode {
	readonly kind: 'scalar';
	readonly naming: Naming;
	readonly type: 'string' | 'number' | 'integer' | 'boolean';
	readonly choices?: readonly unknown[] | undefined;
	readonly format?: string | undefined;
	readonly pattern?: { readonly source: string; test(text: string): boolean } | undefined;
	readonly minLength?: number | undefined;
	readonly maxLength?: number | undefined;
	readonly minimum?: number | undefined;
	readonly maximum?: number | undefined;
	readonly exclusiveMinimum?: number | undefined;
	readonly exclusiveMaximum?: number | undefined;
	readonly multipleOf?: number | undefined;
}

export interface ObjectNode {
	readonly kind: 'object';
	readonly naming: Naming;
	readonly properties: ReadonlyMap<string, FieldNode>;
	readonly required: ReadonlySet<string>;
	/** Schema.org types of the item that it describes; empty if the schema does not say. */
	readonly types: readonly string[];
}

export interface ArrayNode {
	readonly kind: 'array';
	readonly naming: Naming;
	readonly items: FieldNode;
	readonly minItems?: number | undefined;
	readonly maxItems?: number | undefined;
	readonly uniqueItems: boolean;
}
