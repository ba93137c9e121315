import { hiddenBits, inherit, inheritedBits, Looks } from '../dom/looks.ts';
import type { Document, Element } from '../dom/node.ts';
import { walk } from '../dom/walk.ts';

const stripped: ReadonlySet<string> = new Set([
	'script',
	'style',
	'noscript',
	'noframes',
	'noembed',
	'desc',
	'defs',
	'metadata',
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
export function readVisibility({ styles, body }: Document): Visibility {
	const looks = new Looks(styles, body);
	return {
		isHidden(element) {
			if (stripped.has(element.tag)) return true;
			const bits = looks.of(element);
			return (
				(bits & hiddenBits) !== 0 || ((bits & inheritedBits) !== 0 && !showsPart(element, bits & inheritedBits, looks))
			);
		},
	};
}

/** Whether text in an element shows again what the element hides, and it has no text of its own that stays hidden. */
function showsPart(element: Element, hidden: number, looks: Looks): boolean {
	let isShown = false;
	let isBare = true;
	walk(element, (node) => {
		if (node.kind === 'text') {
			if (node.data.trim() !== '') isBare = false;
			return false;
		}
		const bits = looks.of(node);
		if ((bits & hiddenBits) !== 0) return false;
		if (inherit(hidden, bits) !== 0) return isBare;
		isShown = true;
		return false;
	});
	return isShown && isBare;
}
