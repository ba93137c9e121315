import type { Problem, Severity } from '@wayleave/protocols';
import type { JsonLd } from './json-ld.ts';

/** Problems of a page; there is a page for each in `docs/problems/`. */
export type PageProblemCode = keyof typeof pageProblems;
export type PageProblem = Problem<PageProblemCode>;

const warning = (sentence: string) => ({ severity: 'warning' as const, sentence });

/** Severity and sentence of each code; `{name}` stands for an argument. */
export const pageProblems = {
	'charset-conflict': warning('declares {unused}, but was decoded as {used}'),
	'jsonld-repaired': warning('JSON-LD with syntax errors was repaired ({blocks})'),
	'jsonld-unreadable': warning('JSON-LD could not be parsed ({blocks})'),
} satisfies Record<string, { severity: Severity; sentence: string }>;

/** A problem of the page as a whole: its tree has no lines. */
function problem(code: PageProblemCode, args: PageProblem['args']): PageProblem {
	return { code, severity: pageProblems[code].severity, line: 0, column: 0, args };
}

/** Problems of the JSON-LD blocks. */
export function jsonLdProblems({ repaired, unreadable }: JsonLd): PageProblem[] {
	const found: PageProblem[] = [];
	if (repaired > 0) found.push(problem('jsonld-repaired', { blocks: repaired }));
	if (unreadable > 0) found.push(problem('jsonld-unreadable', { blocks: unreadable }));
	return found;
}

/** The problem of a page that declares two encodings, to be kept in `page.problems`. */
export function charsetProblem({
	encoding,
	conflict,
}: {
	encoding: string;
	conflict?: string;
}): PageProblem | undefined {
	return conflict === undefined ? undefined : problem('charset-conflict', { used: encoding, unused: conflict });
}
