/** How much a problem matters: an `error` changes what the file means, a `warning` probably does, an `info` does not. */
export type Severity = 'error' | 'warning' | 'info';

/**
 * Something odd in somebody's file, as data. The sentence for a code is made by whoever shows it.
 *
 * `line` and `column` count from 1; 0 means that the problem belongs to the file as a whole.
 */
export interface Problem<Code extends string = string> {
	readonly code: Code;
	readonly severity: Severity;
	readonly line: number;
	readonly column: number;
	readonly args: Readonly<Record<string, string | number>>;
}

/** What every parser returns: it never throws on odd input. */
export interface Parsed<Value, Code extends string = string> {
	readonly value: Value;
	readonly problems: readonly Problem<Code>[];
}
