import type { Block, Box } from '../../read/box.ts';

/** The fewest words of a headline. */
export const minHeadline = 4;

/** A part has a block that is little more than a link to another page, with the words of a title. */
export function leadsElsewhere(blocks: readonly Block[], { start, end }: Box, least: number): boolean {
	for (let i = start; i < end; i++) {
		const { linked, size } = blocks[i]!;
		if (size.words >= least && linked >= 0.6 * size.chars && linkOf(blocks[i]!) !== undefined) return true;
	}
	return false;
}

export function targets(blocks: readonly Block[], parts: readonly Box[]): Set<string> {
	const found = new Set<string>();
	for (const { start, end } of parts) {
		for (let i = start; i < end; i++) {
			const href = linkOf(blocks[i]!);
			if (href !== undefined) found.add(href);
		}
	}
	return found;
}

/** The address that a block links to, if it is another page. */
export function linkOf({ texts }: Block): string | undefined {
	for (const text of texts) {
		for (let up = text.parent, level = 0; up !== null && level < 5; up = up.parent, level++) {
			const { href } = up.attributes;
			if (up.tag === 'a' && href !== undefined && !/^\s*(?:#|javascript:|mailto:|tel:|$)/i.test(href)) return href;
		}
	}
	return undefined;
}

/** Two names of one text: one begins or ends with the other. */
export function isAbout(title: string, text: string): boolean {
	if (title === text) return text !== '';
	if (text.length < 8 || title.length < 8) return false;
	return title.startsWith(text) || title.endsWith(text) || text.startsWith(title) || text.endsWith(title);
}
