import type { Segments } from '../../read/blocks.ts';
import type { Block, Box } from '../../read/box.ts';
import type { Facts } from '../../read/facts.ts';
import { within } from '../../read/sums.ts';
import type { Drop } from './series.ts';

/** Fewer entries may be the parts of a text. */
const minEntries = 8;
const linkedShare = 0.8;

/** Drops the menus of a site: long lists of links of which one leads to this page itself. */
export function dropSiteMenus({ blocks, boxes, sums }: Segments, { host, path }: Facts, drop: Drop): void {
	const own = folderOf(path);
	const name = own.slice(own.lastIndexOf('/') + 1);
	if (name === '') return;
	const page = `https://${host}${path}`;
	const leadsHere = (href: string): boolean => {
		// Most addresses are too different to be resolved.
		if (href.includes('#') || href.includes('?')) return false;
		const written = href.toLowerCase();
		if (!(written.includes(name) && folderOf(written).endsWith(name)) && !here.test(href)) return false;
		if (!URL.canParse(href, page)) return false;
		const { hostname, pathname } = new URL(href, page);
		return hostname === host && folderOf(pathname.toLowerCase()) === own;
	};
	let end = 0;
	for (const box of boxes) {
		if (box.start < end || box.end - box.start < minEntries || !isList(box)) continue;
		if (within(sums.linked, box) < linkedShare * within(sums.chars, box)) continue;
		// Lists in a list without such a link have none either.
		end = box.end;
		if (blocks.slice(box.start, end).some((block) => leadsHere(hrefOf(block)))) drop(box.start, end);
	}
}

const isList = ({ element }: Box): boolean => element.tag === 'ul' || element.tag === 'ol';

const here = /^\.\/?$/;
const folderOf = (path: string): string => path.replace(/(?:\/|\/index\.\w{3,5})$/, '');

/** The address of the link that a block is; `#` for others. */
function hrefOf({ texts, linked, size }: Block): string {
	if (linked < linkedShare * size.chars) return '#';
	let up = texts[0]?.parent ?? null;
	for (let level = 0; up !== null && up.tag !== 'a' && level < 5; level++) up = up.parent;
	return up?.tag === 'a' ? (up.attributes.href ?? '#') : '#';
}
