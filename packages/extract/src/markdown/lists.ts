import type { Element, Node } from '../dom/node.ts';
import type { Builder } from './builder.ts';
import type { Block, Inline, ListItem } from './model.ts';
import { isNoise } from './noise.ts';

/** Items are read in a list; what stands between them belongs to the item before. */
export function list(builder: Builder, element: Element): void {
	const ordered = element.tag === 'ol';
	const items: ListItem[] = [];
	let number = firstNumber(element);
	const step = element.attributes.reversed === undefined ? 1 : -1;
	/** Content before the first item, and notes. */
	const before: Block[] = [];
	const rest: Block[] = [];
	const fill = (): void => {
		for (const child of listChildren(element)) {
			if (child.kind === 'text') {
				if (child.data.trim() === '') continue;
				(items.at(-1)?.children ?? before).push(...builder.collect(() => builder.nodes([child])));
				continue;
			}
			const value = Number(child.attributes.value);
			if (child.tag === 'li' && child.attributes.value?.trim() && Number.isInteger(value)) number = value;
			const blocks = builder.collect(() => (child.tag === 'li' ? itemContent(builder, child) : builder.nodes([child])));
			if (blocks.length === 0) continue;
			const last = items.at(-1);
			if (child.tag === 'li' && !blocks.every((block) => block.kind === 'note')) {
				items.push({ number, ...checkedOf(child), children: blocks });
				number += step;
			} else if (child.tag !== 'li') (last?.children ?? before).push(...blocks);
			else rest.push(...blocks);
		}
	};
	const nested = builder.nest(fill) !== undefined;
	dropDrawnSigns(items, ordered);
	builder.addAll(before);
	if (!nested || (!ordered && items.every(isSection))) for (const { children } of items) builder.addAll(children);
	else if (items.length > 0 && !(continues(builder, element) && builder.extendList(ordered, items)))
		builder.add({ kind: 'list', ordered, items });
	builder.addAll(rest);
}

/** A list of one item after another of its kind, as Notion exports each item: one list. */
function continues(builder: Builder, element: Element): boolean {
	const before = builder.lastList;
	builder.lastList = hasOneItem(element) ? element : undefined;
	if (before === undefined || builder.lastList === undefined || !element.attributes.class) return false;
	return (
		before.parent === element.parent &&
		before.tag === element.tag &&
		before.attributes.class === element.attributes.class
	);
}

function hasOneItem({ children }: Element): boolean {
	let items = 0;
	for (const child of children) if (child.kind === 'element' && ++items > 1) return false;
	return items === 1;
}

/** An item that is a section: a heading and its text. */
const isSection = ({ children }: ListItem): boolean => children.length > 1 && children[0]!.kind === 'heading';

/** Boxes, and bullets followed by a blank, that an author typed before the text of an item. */
const drawnBox = /^[▢☐□◻◽⬜❑❏]\s*/u;
const drawnBullet = /^(?:[•●○◦▪▫■‣·*]\s*|[–—-]\s)(?=\S)/u;
const drawnNumber = /^(\d{1,4})\s*[.):]?\s*$|^(\d{1,4})[.)]\s+/;

/** Removes the typed bullet, box or number that the list itself gives each item. */
function dropDrawnSigns(items: readonly ListItem[], ordered: boolean): void {
	const starts = items.map(({ children: [first] }) =>
		first?.kind === 'paragraph' ? startOf(first.content) : undefined,
	);
	const isNumbered =
		ordered && items.length > 1 && items.every(({ number }, i) => Number(numberIn(starts[i]?.text)) === number);
	for (const [i, { children }] of items.entries()) {
		const start = starts[i];
		const first = children[0];
		if (start === undefined || first?.kind !== 'paragraph') continue;
		const { text, length } = start;
		const sign = isNumbered ? drawnNumber : drawnBox.test(text) ? drawnBox : ordered ? undefined : drawnBullet;
		const rest = sign === undefined ? text : text.replace(sign, '');
		if (rest === text || (length > 1 && rest !== '')) continue;
		if (rest === '' && first.content.length === length && children.length === 1) continue;
		const content = first.content.slice(length);
		if (rest !== '') content.unshift({ kind: 'text', text: rest });
		const [next] = content;
		if (next?.kind === 'text') content[0] = { kind: 'text', text: next.text.trimStart() };
		if (content.length === 0) children.shift();
		else children[0] = { ...first, content };
	}
}

/** The text that begins a run, including inline marks, and the number of its pieces. */
function startOf([first, second, third]: readonly Inline[]): { text: string; length: number } | undefined {
	if (first?.kind === 'text') return { text: first.text, length: 1 };
	const isMarked = first?.kind === 'open' && second?.kind === 'text' && third?.kind === 'close';
	return isMarked ? { text: second.text, length: 3 } : undefined;
}

function numberIn(start: string | undefined): string | undefined {
	const match = start === undefined ? null : drawnNumber.exec(start);
	return match?.[1] ?? match?.[2];
}

/** An item outside of any list is one. */
export function listItem(builder: Builder, element: Element): void {
	const children = builder.nest(() => itemContent(builder, element));
	if (children && children.length > 0)
		builder.add({ kind: 'list', ordered: false, items: [{ number: 1, ...checkedOf(element), children }] });
}

/** Children of the list, with wrappers opened that stand between the list and its items. */
function listChildren({ children }: Element): readonly Node[] {
	if (!children.some(wrapsItems)) return children;
	return children.flatMap((child) => (wrapsItems(child) ? listChildren(child) : [child]));
}

function wrapsItems(child: Node): child is Element {
	return (
		child.kind === 'element' &&
		child.tag !== 'li' &&
		wrapper.test(child.tag) &&
		child.children.some((node) => node.kind === 'element' && node.tag === 'li')
	);
}

const wrapper = /^(?:div|span|section|template|slot)$|-/;

function itemContent(builder: Builder, item: Element): void {
	if (builder.context.skip(item) || isNoise(item, builder.noiseNames)) return;
	const label = builder.context.notes.get(item);
	if (label === undefined) builder.children(item);
	else builder.nodes([item]);
}

function firstNumber({ attributes, children }: Element): number {
	const start = Number.parseInt(attributes.start ?? '', 10);
	if (Number.isSafeInteger(start)) return start;
	if (attributes.reversed === undefined) return 1;
	return children.filter((child) => child.kind === 'element' && child.tag === 'li').length;
}

/** A check box before any text makes the item a task. */
function checkedOf(item: Element): { checked?: boolean } {
	// Confluence draws its boxes.
	const { 'data-inline-task-id': task, class: name = '' } = item.attributes;
	if (task !== undefined) return { checked: /(?:^|\s)checked(?=\s|$)/.test(name) };
	let node: Node | undefined = item;
	for (let depth = 0; node?.kind === 'element' && depth < 4; depth++) {
		const drawn = /(?:^|\s)checkbox-(on|off)(?=\s|$)/.exec(node.attributes.class ?? '')?.[1];
		if (drawn !== undefined) return { checked: drawn === 'on' };
		if (node.tag === 'input') {
			return node.attributes.type?.toLowerCase() === 'checkbox'
				? { checked: node.attributes.checked !== undefined }
				: {};
		}
		node = node.children.find((child) => child.kind === 'element' || child.data.trim() !== '');
	}
	return {};
}

export function definitionTerm(builder: Builder, element: Element): void {
	if (signature.test(element.attributes.class ?? '')) {
		const text = signatureText(element, builder);
		if (text !== '') builder.add({ kind: 'term', content: [{ kind: 'code', text }] });
		return;
	}
	const { content, others } = builder.inline(() => builder.children(element));
	const plain = content.filter(
		(item) => !((item.kind === 'open' || item.kind === 'close') && item.mark.name === 'strong'),
	);
	if (plain.length > 0) builder.add({ kind: 'term', content: plain });
	builder.addAll(others);
}

/** A `<dd>` without a term is an indent: plain blocks. */
export function definitionDetail(builder: Builder, element: Element): void {
	const children = builder.collect(() => builder.children(element));
	if (children.length === 0) return;
	if (hasTerm(element)) builder.add({ kind: 'detail', children });
	else builder.addAll(children);
}

/** The declaration of a function, as Sphinx writes it. */
const signature = /(?:^|\s)sig(?:-object)?(?=\s|$)/;

function signatureText(element: Element, builder: Builder): string {
	let text = '';
	const read = (nodes: readonly Node[]): void => {
		for (const node of nodes) {
			if (node.kind === 'text') text += node.data;
			else if (!isNoise(node, builder.noiseNames) && !/viewcode|headerlink/.test(node.attributes.class ?? ''))
				read(node.children);
		}
	};
	read(element.children);
	return text.replace(/\s+/g, ' ').trim();
}

function hasTerm(element: Element): boolean {
	const siblings = element.parent?.children ?? [];
	const first = siblings.find((node) => node.kind === 'element');
	return first?.kind === 'element' && first.tag !== 'dd';
}
