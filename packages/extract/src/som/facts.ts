import type { Element } from '../dom/node.ts';
import type { Visibility } from './visibility.ts';

/** Counts for region detection in every subtree, made once for the whole page. */
export interface Facts {
	/** Links below the element. */
	links(element: Element): number;
	/** Characters of visible text below the element. */
	textLength(element: Element): number;
	/** Whether legal wording (copyright, privacy, terms) stands below the element. */
	hasLegalWording(element: Element): boolean;
	/** Whether `main` or `article` stands below the element, at most six levels down. */
	holdsMain(element: Element): boolean;
	/** Whether headings, tables, form controls or code stand below: such a list is more than lines. */
	hasBlocks(element: Element): boolean;
	/** Whether the element and all below it flow within a line of text. */
	isInline(element: Element): boolean;
}

interface Counts {
	links: number;
	textLength: number;
	legal: boolean;
	/** Levels down to the nearest main or article. */
	mainDepth: number;
	blocks: boolean;
	inline: boolean;
}

const legal = /copyright|©|privacy|terms of|all rights reserved/i;
const blocks: ReadonlySet<string> = new Set(
	'h1 h2 h3 h4 h5 h6 table pre form input select textarea fieldset details dialog iframe'.split(' '),
);
const inline: ReadonlySet<string> = new Set(
	(
		'a abbr acronym b bdi bdo big br button cite code data del dfn em font i img input ins kbd label mark math meter ' +
		'nobr output picture progress q rp rt ruby s samp select small span strike strong sub sup svg textarea time tt u ' +
		'var wbr'
	).split(' '),
);
const empty: Counts = {
	links: 0,
	textLength: 0,
	legal: false,
	mainDepth: Number.POSITIVE_INFINITY,
	blocks: false,
	inline: true,
};

export function readFacts(body: Element, visibility: Visibility): Facts {
	const counts = new Map<Element, Counts>();
	count(body, visibility, counts);
	const of = (element: Element) => counts.get(element) ?? empty;
	return {
		links: (element) => of(element).links,
		textLength: (element) => of(element).textLength,
		hasLegalWording: (element) => of(element).legal,
		holdsMain: (element) => of(element).mainDepth <= 6,
		hasBlocks: (element) => of(element).blocks,
		isInline: (element) => inline.has(element.tag) && of(element).inline,
	};
}

// Recursion is safe: the parser bounds the depth of the tree.
function count(element: Element, visibility: Visibility, counts: Map<Element, Counts>): Counts {
	const total: Counts = { ...empty };
	for (const child of element.children) {
		if (child.kind === 'text') {
			total.textLength += child.data.trim().length;
			if (!total.legal && legal.test(child.data)) total.legal = true;
			continue;
		}
		if (visibility.isHidden(child)) continue;
		const below = count(child, visibility, counts);
		const isLink = child.tag === 'a' && child.attributes.href !== undefined;
		const isMain = child.tag === 'main' || child.tag === 'article';
		total.links += below.links + (isLink ? 1 : 0);
		total.textLength += below.textLength;
		total.legal ||= below.legal;
		total.mainDepth = Math.min(total.mainDepth, isMain ? 1 : below.mainDepth + 1);
		total.inline &&= below.inline && inline.has(child.tag);
		total.blocks ||= below.blocks || blocks.has(child.tag);
	}
	counts.set(element, total);
	return total;
}
