import { isAgentCategory } from '../identity/index.ts';

export interface SectionHeader {
	/** Lower case, each once. */
	readonly categories: readonly string[];
	/** Written as the draft writes it, with one category. */
	readonly wellFormed: boolean;
	/** Those of the categories that are not standard ones. */
	readonly unknown: readonly string[];
}

/**
 * Reads `[agent: category]`. A header in another form is read for what it names, since its directives
 * must not fall to everybody: `[data-harvester]`, `[agent data-harvester`, `[agent: a, b]`.
 */
export function readSectionHeader(text: string): SectionHeader {
	const wellFormed = /^\[\s*agent\s*:\s*[^\s,|:\]]+\s*\]$/i.test(text);
	const inside = text.slice(1).replace(/\].*$/s, '').toLowerCase();
	const names = inside.replace(/^\s*(?:user-)?agents?\s*(?:[:=]|\s|$)/, '').split(/[\s,|:#[]+/);
	const categories = [...new Set(names.filter((name) => name !== ''))];
	return { categories, wellFormed, unknown: categories.filter((name) => name !== '*' && !isAgentCategory(name)) };
}
