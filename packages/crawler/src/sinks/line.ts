import type { Result } from '../result.ts';

export interface LineOptions {
	/** Whether URLs without a document are written too. Default false. */
	readonly outcomes?: boolean;
}

/** Whether a result is written, or left out because it has no document. */
export const isTold = (result: Result, { outcomes = false }: LineOptions): boolean =>
	result.document !== undefined || outcomes;

/** `{ "url", "outcome", "document"?, "policy"?, "page"?, "representation"? }` and what explains an outcome; nothing for one left out. */
export function formatLine(result: Result, options: LineOptions): string {
	if (!isTold(result, options)) return '';
	const {
		url,
		outcome,
		reason,
		detail,
		status,
		redirectedTo,
		aliasOf,
		evidence,
		document,
		policy,
		page,
		representation,
	} = result;
	const line = {
		url,
		outcome,
		reason,
		detail,
		status,
		redirectedTo,
		aliasOf,
		evidence,
		document,
		policy,
		page,
		representation,
	};
	return `${JSON.stringify(line)}\n`;
}
