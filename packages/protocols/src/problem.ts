/** How much a problem matters: an `error` changes what the file means, a `warning` probably does, an `info` does not. */
export type Severity = 'error' | 'warning' | 'info';

/**
 * A problem in a file, as data. The program that shows it makes the sentence for the code.
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

/** The result of every parser. Parsers never throw on odd input. */
export interface Parsed<Value, Code extends string = string> {
	readonly value: Value;
	readonly problems: readonly Problem<Code>[];
}
