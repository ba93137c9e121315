import type { Result } from '@wayleave/crawler';

/** Approximate size of a document in bytes; links and headings repeat its text. */
export function sizeOf({ document }: Result): number {
	if (document === undefined) return 2000;
	const { content, structure } = document;
	const lists = (structure.links?.length ?? 0) + (structure.images?.length ?? 0) + (structure.headings?.length ?? 0);
	return 2000 + content.markdown.length * 2 + lists * 300;
}
