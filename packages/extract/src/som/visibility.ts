import { Looks } from '../dom/looks.ts';
import type { Document, Element } from '../dom/node.ts';

const STRIPPED: ReadonlySet<string> = new Set([
	'script',
	'style',
	'noscript',
	'template',
	'meta',
	'link',
	'head',
	'title',
	'base',
	'datalist',
	'colgroup',
	'param',
	'track',
	'source',
]);
/** Tells which elements of a page are not to be seen (SOM-SPEC §6.1, §6.2). */
export interface Visibility {
	isHidden(element: Element): boolean;
}

/** Drops parts that styles and attributes hide, as in documents, and also parts that a control opens. */
export function readVisibility({ styles }: Document): Visibility {
	const looks = new Looks(styles);
	return { isHidden: (element) => STRIPPED.has(element.tag) || looks.hides(element) };
}
