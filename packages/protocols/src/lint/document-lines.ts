import { type AIDocumentProblem, checkAIDocument } from '../aidocument/index.ts';

/**
 * The problems of JSON lines: each line an AIDocument, or a result of `wayleave crawl` with the document inside.
 * Results without a document have none.
 */
export function checkDocumentLines(text: string): AIDocumentProblem[] {
	return text.split('\n').flatMap((line, index) => {
		if (line.trim() === '') return [];
		const result = readResult(line);
		const problems = result === undefined ? checkAIDocument(line) : checkAIDocument(result.document);
		if (result !== undefined && result.document === undefined) return [];
		return problems.map((problem) => ({ ...problem, line: index + 1, column: Math.max(problem.column, 1) }));
	});
}

/** A line as a result: an object with an outcome. */
function readResult(line: string): { readonly document?: unknown } | undefined {
	try {
		const value: { outcome?: unknown; document?: unknown } | null = JSON.parse(line);
		return value?.outcome === undefined ? undefined : value;
	} catch {
		return undefined;
	}
}
