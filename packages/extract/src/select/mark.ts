import type { Looks } from '../dom/looks.ts';
import { append, createElement, type Element, type Text } from '../dom/node.ts';
import { walk } from '../dom/walk.ts';
import { isMockUp, type Segments } from './read/blocks.ts';
import type { Block, Box } from './read/box.ts';
import type { Flags } from './read/flags.ts';
import { type Frame, shownBlocks } from './shown.ts';

/** The main content: everything under the roots that is not skipped. */
export interface Selection {
	readonly roots: Element[];
	/** True for an element that does not belong to the content, with all that is in it. */
	skip(node: Element): boolean;
	/** The author of the first post, if the page is a thread. */
	readonly starter?: string | undefined;
	/** The text blocks that were kept, in document order. */
	readonly kept: readonly Block[];
}

/**
 * Turns the choice of blocks into a choice of elements.
 *
 * @param frame what is shown beside the running text
 */
export function mark({ blocks, boxes, visuals }: Segments, keep: Flags, frame?: Frame): Selection {
	const kept = blocks.filter((_, i) => keep[i]);
	const shown = shownBlocks(blocks, keep, frame);
	const { element: root, start, end } = smallestBoxAround(boxes[0]!, shown);
	const alive = new Set<Element>([root]);
	for (let i = start; i < end; i++) {
		if (!shown[i]) continue;
		for (const text of blocks[i]!.texts) {
			for (let up = text.parent; up !== null && !alive.has(up); up = up.parent) alive.add(up);
		}
	}
	const dropped = new Set<Element>();
	const loose = new Set<Text>();
	const place = new Map<Text, number>();
	// Nothing outside the root is content, whatever is dropped there.
	for (let i = start; i < end; i++) {
		for (const text of blocks[i]!.texts) {
			place.set(text, i);
			if (!shown[i] && !drop(text, alive, dropped)) loose.add(text);
		}
	}
	wrapLoose(loose, dropped);
	if (blocks.length === 0) return { roots: [root], skip: (node) => visuals.hides(node), kept };
	dropLonelyMedia(root, alive, place, shown, dropped, visuals);
	return { roots: [root], skip: (node) => dropped.has(node), kept };
}

/** Parts of tables mean nothing without the table. */
const tableParts: ReadonlySet<string> = new Set(['tbody', 'thead', 'tfoot', 'tr', 'colgroup']);

/** The smallest box with all content; of boxes with the same text the outermost, for the images beside the text. */
function smallestBoxAround(body: Box, keep: Flags): Box {
	const counts = new Int32Array(keep.length + 1);
	for (let i = 0; i < keep.length; i++) counts[i + 1] = counts[i]! + (keep[i] ? 1 : 0);
	const inside = (box: Box): number => counts[box.end]! - counts[box.start]!;
	const all = inside(body);
	let box = body;
	for (let next: Box | undefined = body; next !== undefined && all > 0; ) {
		box = next;
		next = box.children.find((child) => inside(child) === all);
	}
	while (box.parent !== null && (sameText(box, box.parent) || tableParts.has(box.element.tag))) box = box.parent;
	return box;
}

const sameText = (a: Box, b: Box): boolean => a.start === b.start && a.end === b.end;

/** Drops the largest element around the text that holds no content. False for bare text beside content. */
function drop(text: Text, alive: ReadonlySet<Element>, dropped: Set<Element>): boolean {
	let { parent } = text;
	if (parent === null || alive.has(parent)) return false;
	while (!dropped.has(parent) && parent.parent !== null && !alive.has(parent.parent)) parent = parent.parent;
	dropped.add(parent);
	return true;
}

/** Bare text gets an element of its own, which can be dropped. */
function wrapLoose(loose: ReadonlySet<Text>, dropped: Set<Element>): void {
	const parents = new Set([...loose].map((text) => text.parent!));
	for (const parent of parents) {
		parent.children = parent.children.map((child) => {
			if (child.kind !== 'text' || !loose.has(child)) return child;
			const wrapper = createElement('span');
			wrapper.parent = parent;
			append(wrapper, child);
			dropped.add(wrapper);
			return wrapper;
		});
	}
}

/** Images, players and rules have no text: they belong to the content when a neighbouring block does. */
function dropLonelyMedia(
	root: Element,
	alive: ReadonlySet<Element>,
	place: ReadonlyMap<Text, number>,
	keep: Flags,
	dropped: Set<Element>,
	visuals: Looks,
): void {
	let before = -1;
	const pending: Element[] = [];
	const decide = (next: number): void => {
		const wanted = (before >= 0 && keep[before]) || (next < keep.length && keep[next]);
		if (!wanted) for (const element of pending) dropped.add(element);
		pending.length = 0;
	};
	visit(root, (node) => {
		if (node.kind === 'text') {
			const at = place.get(node);
			if (at === undefined) return false;
			decide(at);
			before = at;
			return false;
		}
		if (dropped.has(node)) return true;
		if (alive.has(node)) return true;
		if (visuals.hides(node) || isMockUp(node)) {
			dropped.add(node);
			return false;
		}
		pending.push(node);
		if (node.children.length > 0)
			walk(node, (inner) => {
				if (inner.kind === 'text' || !(visuals.hides(inner) || isMockUp(inner))) return true;
				dropped.add(inner);
				return false;
			});
		return false;
	});
	decide(keep.length);
}

function visit(root: Element, enter: (node: Element | Text) => boolean): void {
	const stack: (Element | Text)[] = [...root.children].reverse();
	for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
		if (!enter(node) || node.kind === 'text') continue;
		for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
	}
}
