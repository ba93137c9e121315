import type { Element } from '../../dom/node.ts';
import type { Segments } from '../read/blocks.ts';
import type { Block } from '../read/box.ts';
import type { Facts } from '../read/facts.ts';
import type { Flags } from '../read/flags.ts';
import { findTitle, rankOf } from '../read/title-block.ts';

/** The most words of a level, and the most levels. */
const maxWords = 8;
const maxLevels = 8;

/**
 * The path through the site directly before the title, whatever it calls itself: each link leads to an address that the
 * page's own address continues, and text without a link names the page or separates.
 */
export function dropBreadcrumbs(segments: Segments, facts: Facts, keep: Flags): void {
	const { blocks } = segments;
	const title = findTitle(segments, facts.titles);
	if (title < 1 || rankOf(blocks[title]!) === 0) return;
	const name = blocks[title]!.text;
	let start = title;
	let isPath = false;
	while (start > 0 && title - start < maxLevels) {
		const block = blocks[start - 1]!;
		const links = linksOf(block);
		if (block.size.words > maxWords * Math.max(links.size, 1)) break;
		if (![...links].every((href) => isAbove(href, facts))) break;
		if (!isNamed(block, name)) break;
		if (links.size > 0) isPath = true;
		start--;
	}
	if (isPath) keep.fill(0, start, title);
}

function linksOf({ texts }: Block): Set<string> {
	const links = new Set<string>();
	for (const { parent } of texts) {
		const href = linkAround(parent);
		if (href !== undefined) links.add(href);
	}
	return links;
}

function linkAround(element: Element | null): string | undefined {
	for (let up = element, level = 0; up !== null && level < 5; up = up.parent, level++)
		if (up.tag === 'a') return up.attributes.href;
	return undefined;
}

/** Text outside of links is a separator, or the name of the page. */
function isNamed({ texts }: Block, name: string): boolean {
	return texts.every(({ data, parent }) => {
		const text = data.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
		return text === '' || linkAround(parent) !== undefined || name.replace(/[^\p{L}\p{N}]+/gu, ' ').includes(text);
	});
}

/** Whether an address is a folder that the page is in. */
function isAbove(href: string, { host, path }: Facts): boolean {
	const page = `https://${host}${path}`;
	if (!URL.canParse(href, page)) return false;
	const { hostname, pathname } = new URL(href, page);
	const folder = pathname.toLowerCase().replace(/(?:\/|\/(?:index|default)\.\w{3,5})$/, '');
	return hostname === host && path.startsWith(`${folder}/`) && path.length > folder.length + 1;
}
