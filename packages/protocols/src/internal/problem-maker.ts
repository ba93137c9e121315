import type { Problem, Severity } from '../problem.ts';

/**
 * Severity and sentence of each code of a module; `{name}` in a sentence stands for an argument. A reader of files needs
 * only the types of such a table; programs that show problems to people load the sentences.
 */
export type ProblemTable = Readonly<Record<string, { readonly severity: Severity; readonly sentence: string }>>;

/** The severities that a module has to know at run time: of every code that is no warning. */
export type SeveritiesOf<Table extends ProblemTable> = {
	readonly [Code in keyof Table as Table[Code]['severity'] extends 'warning' ? never : Code]: Table[Code]['severity'];
};

/** A place in a file; counts from 1. */
export interface Place {
	readonly line: number;
	readonly column: number;
}

/** The place of what belongs to a file as a whole. */
export const nowhere: Place = { line: 0, column: 0 };

/** Makes a problem with the usual severity of its code, unless another is given. */
export type MakeProblem<Code extends string> = (
	code: Code,
	at: Place,
	args?: Problem['args'],
	severity?: Severity,
) => Problem<Code>;

export function problemMaker<Table extends ProblemTable>(
	severities: SeveritiesOf<Table>,
): MakeProblem<keyof Table & string> {
	const known: { readonly [code: string]: Severity } = severities;
	return (code, { line, column }, args = {}, severity = known[code] ?? 'warning') => ({
		code,
		severity,
		line,
		column,
		args,
	});
}

/** Makes problems with the severities of a table that is loaded anyway. */
export const makerOf = <Table extends ProblemTable>(table: Table): MakeProblem<keyof Table & string> =>
	problemMaker(
		Object.fromEntries(Object.entries(table).map(([code, { severity }]) => [code, severity])) as SeveritiesOf<Table>,
	);

export const error = (sentence: string) => ({ severity: 'error' as const, sentence });
export const info = (sentence: string) => ({ severity: 'info' as const, sentence });
export const warning = (sentence: string) => ({ severity: 'warning' as const, sentence });
