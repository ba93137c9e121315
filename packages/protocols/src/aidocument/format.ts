import type { AIDocument } from './types.ts';

const groups = ['schema', 'source', 'cache', 'identity', 'content', 'structure', 'signals', 'economics'];

/** Writes a document as JSON, its groups in the order of the draft (§4.1) and groups of later revisions after them. */
export function formatAIDocument(document: AIDocument, options: { readonly indent?: number | string } = {}): string {
	const rank = (name: string) => (groups.includes(name) ? groups.indexOf(name) : groups.length);
	const ordered = Object.entries(document).sort(([a], [b]) => rank(a) - rank(b));
	return JSON.stringify(Object.fromEntries(ordered), undefined, options.indent);
}
