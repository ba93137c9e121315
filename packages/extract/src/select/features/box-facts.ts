import { ariaModalBit, itempropBit, roleBit } from '../../dom/attribute-bits.ts';
import { type Element, emptyList } from '../../dom/node.ts';
import type { Box } from '../read/box.ts';
import { type Names, ReadNames } from '../read/hints.ts';
import type { Evidence, Scale } from './lexicon.ts';

export const roles = ['main', 'navigation', 'banner', 'contentinfo', 'complementary', 'dialog', 'article'];
const roleBits = new Map(roles.map((role, i) => [role, 1 << i]));
const articleBody = 1 << roles.length;

/** Columns of a grid of twelve, from the class names of common frameworks. */
const columnsPattern = /(?:^|[\s_-])(?:col|column|large|medium|span|grid|lg|md)[-_]?(1[0-2]|[1-9])(?=$|\s)/;
const allColumns = 12;

/** The width that the class names of grid systems give a box. */
function columnsOf(className: string): number {
	if (className.length > 300) return allColumns;
	const found = columnsPattern.exec(className);
	return found === null ? allColumns : Number(found[1]);
}

/** Facts that each box passes to its blocks, by index. */
export class BoxFacts {
	readonly roles: Int32Array;
	readonly listDepth: Int32Array;
	/** Evidence of the box's own names, and along the chain the sum, the worst and the best. */
	readonly own = emptyList<Evidence>();
	readonly chain: Float64Array;
	readonly worst: Float64Array;
	readonly best: Float64Array;
	/** How many brothers have the same tag and class, and which of them this is. */
	readonly alike: Int32Array;
	readonly place: Int32Array;
	/** The innermost `article` around it, and how many are around it. */
	readonly article: (Box | undefined)[] = [];
	readonly articles: Int32Array;
	/** The width of the narrowest column around it, in twelfths of the page. */
	readonly columns: Uint8Array;

	constructor(boxes: readonly Box[], names: readonly Names[], looks: number, scale: Scale) {
		const count = boxes.length;
		this.roles = new Int32Array(count);
		this.listDepth = new Int32Array(count);
		this.chain = new Float64Array(count);
		this.worst = new Float64Array(count);
		this.best = new Float64Array(count);
		this.alike = new Int32Array(count).fill(1);
		this.place = new Int32Array(count);
		this.articles = new Int32Array(count);
		this.columns = new Uint8Array(count);
		const evidence = weighNames(names, scale);
		const columns = names.map(({ className }) => columnsOf(className));
		for (const box of boxes) this.#describe(box, evidence[box.names.index]!, columns[box.names.index]!);
		this.#countAlike(boxes, looks);
	}

	#describe(box: Box, own: Evidence, columns: number): void {
		const { index, parent, element } = box;
		// The outermost box has no box around it; its own facts are zero until written.
		const up = parent === null ? index : parent.index;
		const { tag } = element;
		const isArticle = tag === 'article';
		this.roles[index] = this.roles[up]! | rolesOf(element);
		this.listDepth[index] = this.listDepth[up]! + (tag === 'ul' || tag === 'ol' ? 1 : 0);
		this.own.push(own);
		this.chain[index] = this.chain[up]! * 0.8 + own.sum;
		this.worst[index] = Math.min(this.worst[up]!, own.sum);
		this.best[index] = Math.max(this.best[up]!, own.sum);
		this.article.push(isArticle ? box : this.article[up]);
		this.articles[index] = this.articles[up]! + (isArticle ? 1 : 0);
		this.columns[index] = parent === null ? columns : Math.min(this.columns[up]!, columns);
	}

	#countAlike(boxes: readonly Box[], looks: number): void {
		/** Of each look how many brothers have it, and whose children these are. */
		const counts = new Int32Array(looks);
		const parents = new Int32Array(looks).fill(-1);
		for (const { index: parent, children } of boxes) {
			if (children.length < 2) continue;
			for (const { index, look } of children) {
				if (parents[look] !== parent) counts[look] = 0;
				parents[look] = parent;
				this.place[index] = counts[look]!++;
			}
			for (const { index, look } of children) this.alike[index] = counts[look]!;
		}
	}
}

function weighNames(names: readonly Names[], scale: Scale): Evidence[] {
	const words = new ReadNames();
	return names.map((named) => {
		words.begin(named);
		return scale.weigh(words);
	});
}

function rolesOf({ attributes, attributeBits }: Element): number {
	if ((attributeBits & (roleBit | itempropBit | ariaModalBit)) === 0) return 0;
	const { role, itemprop } = attributes;
	const named = attributes['aria-modal'] === 'true' ? 'dialog' : role;
	const bit = named === undefined ? 0 : (roleBits.get(named) ?? 0);
	return bit | (itemprop === 'articleBody' || itemprop === 'text' ? articleBody : 0);
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
