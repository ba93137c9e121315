import type { Box } from './blocks.ts';
import { type Names, NameWords } from './hints.ts';
import type { Evidence, Scale } from './lexicon.ts';

export const ROLES = ['main', 'navigation', 'banner', 'contentinfo', 'complementary', 'dialog', 'article'];
const roleBits = new Map(ROLES.map((role, i) => [role, 1 << i]));
const ARTICLE_BODY = 1 << ROLES.length;

/** What each box hands down to the blocks in it. */
export interface BoxFacts {
	roles: number;
	listDepth: number;
	/** The box's own names, the sum along the chain, the worst and the best of it. */
	own: Evidence;
	chain: number;
	worst: number;
	best: number;
	/** How many brothers look the same, and which of them this is. */
	alike: number;
	place: number;
	/** The innermost `article` around it, and how many are around it. */
	article: Box | undefined;
	articles: number;
	/** The width of the narrowest column around it, in twelfths of the page. */
	columns: number;
}

const COLUMNS = /(?:^|[\s_-])(?:col|column|large|medium|span|grid|lg|md)[-_]?(1[0-2]|[1-9])(?=$|\s)/;
const ALL_COLUMNS = 12;

/** The width that the class names of grid systems give a box. */
function columnsOf(className: string | undefined): number {
	if (className === undefined || className.length > 300) return ALL_COLUMNS;
	const found = COLUMNS.exec(className);
	return found === null ? ALL_COLUMNS : Number(found[1]);
}

/** The facts of all boxes, by their index. */
export function describeBoxes(boxes: readonly Box[], names: readonly Names[], scale: Scale): BoxFacts[] {
	const facts: BoxFacts[] = [];
	const words = new NameWords();
	const weighed = names.map(({ written, custom }) => {
		words.begin(written, custom);
		return scale.weigh(words);
	});
	for (const box of boxes) {
		const up = box.parent === null ? undefined : facts[box.parent.index]!;
		const { tag, attributes } = box.element;
		const own = weighed[box.names.index]!;
		const { itemprop } = attributes;
		facts.push({
			roles:
				(up?.roles ?? 0) |
				(roleBits.get(attributes['aria-modal'] === 'true' ? 'dialog' : (attributes.role ?? '')) ?? 0) |
				(itemprop === 'articleBody' || itemprop === 'text' ? ARTICLE_BODY : 0),
			listDepth: (up?.listDepth ?? 0) + (tag === 'ul' || tag === 'ol' ? 1 : 0),
			own,
			chain: (up?.chain ?? 0) * 0.8 + own.sum,
			worst: Math.min(up?.worst ?? 0, own.sum),
			best: Math.max(up?.best ?? 0, own.sum),
			alike: 1,
			place: 0,
			article: tag === 'article' ? box : up?.article,
			articles: (up?.articles ?? 0) + (tag === 'article' ? 1 : 0),
			columns: Math.min(up?.columns ?? ALL_COLUMNS, columnsOf(attributes.class)),
		});
	}
	for (const box of boxes) if (box.children.length > 1) countAlike(box.children, facts);
	return facts;
}

/** Brothers with the same tag and class look alike. */
function countAlike(brothers: readonly Box[], facts: readonly BoxFacts[]): void {
	const alike = new Map<string, BoxFacts[]>();
	for (const { element, index } of brothers) {
		const key = `${element.tag}.${element.attributes.class ?? ''}`;
		const group = alike.get(key);
		if (group === undefined) alike.set(key, [facts[index]!]);
		else facts[index]!.place = group.push(facts[index]!) - 1;
	}
	for (const group of alike.values()) for (const one of group) one.alike = group.length;
}

/** For each box how deep the innermost box lies that holds both it and the title. */
export function sharedDepths(boxes: readonly Box[], title: Box | undefined): Int32Array {
	const depths = new Int32Array(boxes.length);
	const path = new Set<Box>();
	for (let up: Box | null = title ?? null; up !== null; up = up.parent) path.add(up);
	for (const box of boxes) {
		depths[box.index] = path.has(box) ? box.depth : box.parent === null ? 0 : depths[box.parent.index]!;
	}
	return depths;
}
