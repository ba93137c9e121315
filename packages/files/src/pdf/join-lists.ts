import type { Block } from './types.ts';

type List = Extract<Block, { kind: 'list' }>;

/**
 * A list that goes on, in the next column or on the next page; undefined where the second one is another list.
 *
 * @param page that begins with the second list
 */
export function joinLists(last: List, first: List, page?: number): List | undefined {
	if (page !== undefined && isRest(first)) {
		const [inner, ...rest] = first.items[0]!;
		const item = last.items.at(-1)!;
		const open = item.at(-1);
		if (open?.kind === 'list' && inner?.kind === 'list') {
			const joined = joinLists(open, inner, page);
			if (joined === undefined) return undefined;
			return {
				...last,
				items: [...last.items.slice(0, -1), [...item.slice(0, -1), joined, ...rest], ...first.items.slice(1)],
			};
		}
	}
	if (last.ordered !== first.ordered) return undefined;
	if (last.ordered && first.start !== last.start + last.items.length) return undefined;
	if (!last.ordered && page === undefined) return undefined;
	const [top, ...others] = first.items;
	if (top === undefined) return undefined;
	return { ...last, items: [...last.items, page === undefined ? top : anchored(top, page), ...others] };
}

/** Whether a list begins inside of an item of the page before. */
const isRest = ({ items }: List): boolean => items[0]?.[0]?.kind === 'list';

function anchored(item: readonly Block[], page: number): Block[] {
	const [first, ...others] = item;
	return first?.kind === 'paragraph'
		? [{ ...first, content: [{ page }, ...first.content] }, ...others]
		: [{ kind: 'paragraph', content: [{ page }] }, ...item];
}
