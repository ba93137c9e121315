import type { Element } from '../dom/node.ts';
import { isBlockTag } from './block-tags.ts';
import { type Builder, withoutMark, wrapped } from './builder.ts';
import { tidy } from './inline.ts';
import type { Block, Inline } from './model.ts';
import { isPermalink, isShareLink, shortText } from './noise.ts';

/** A link: around its text, or around the first heading or paragraph when it holds whole blocks. */
export function anchor(builder: Builder, element: Element): void {
	const label = builder.context.references.get(element);
	if (label !== undefined) {
		builder.run.push({ kind: 'note', label });
		return;
	}
	if (builder.context.isFile && pageAnchor.test(element.attributes.id ?? '')) {
		builder.run.push({ kind: 'anchor', id: element.attributes.id! });
		return;
	}
	if (builder.context.orphans.has(element)) {
		builder.children(element);
		return;
	}
	if (isPermalink(element, builder.context.addresses.base)) return;
	const { href } = element.attributes;
	const url = builder.resolve(href);
	if (url === undefined || element.attributes.role === 'tab' || isPlain(element, url, builder.context.addresses.base)) {
		builder.children(element);
		return;
	}
	if (isShareLink(url)) return;
	if (holdsBlocks(element)) {
		const blocks = builder.collect(() => builder.children(element));
		builder.addAll(linkInto(blocks, url));
		return;
	}
	const before = builder.run.last();
	if (before?.kind === 'close' && before.mark.name === 'link') builder.run.text(' ');
	builder.marked({ name: 'link', url }, () => builder.children(element));
}

/** The id of the place where a page of a file begins, a slide, a sheet or a chapter. */
const pageAnchor = /^(?:page|slide|sheet|chapter)-\d{1,5}$/;

/** Links that say nothing beyond their text: a heading to itself, an address to its own mailbox. */
function isPlain(element: Element, url: string, baseUrl: string): boolean {
	if (/^(?:mailto|tel|sms):/i.test(url)) {
		const address = url.replace(/^\w+:/, '').replace(/\?.*/, '');
		return /^(?:tel|sms):/i.test(url) || address === shortText(element, 200);
	}
	if (element.attributes.href?.trim() === '#') return true;
	const { parent } = element;
	const inHeading =
		parent !== null &&
		(/^h[1-6]$/.test(parent.tag) || (parent.tag === 'dt' && element.attributes.href === `#${parent.attributes.id}`));
	return inHeading && url.includes('#') && url.split('#')[0] === baseUrl.split('#')[0];
}

/** Whether there is block content inside; anchors do not nest, so all these walks together are linear. */
function holdsBlocks(element: Element): boolean {
	return element.children.some((child) => child.kind === 'element' && (isBlockTag(child.tag) || holdsBlocks(child)));
}

/** Puts the link on the first heading, else on the first text, else on the first picture. */
function linkInto(blocks: Block[], url: string): Block[] {
	const mark = { name: 'link', url } as const;
	const target =
		find(blocks, (block) => block.kind === 'heading') ??
		find(blocks, hasText) ??
		find(blocks, (block) => block.kind === 'paragraph');
	if (target === undefined) return blocks;
	const replace = (list: readonly Block[]): Block[] =>
		list.map((block) => {
			if (block === target && 'content' in block)
				return { ...block, content: tidy(wrapped(withoutMark(block.content, 'link'), mark)) };
			if (block.kind === 'list')
				return { ...block, items: block.items.map((item) => ({ ...item, children: replace(item.children) })) };
			return block.kind === 'quote' || block.kind === 'detail'
				? { ...block, children: replace(block.children) }
				: block;
		});
	return replace(blocks);
}

function hasText(block: Block): boolean {
	return 'content' in block && block.content.some(({ kind }: Inline) => kind === 'text' || kind === 'code');
}

function find(blocks: readonly Block[], test: (block: Block) => boolean): Block | undefined {
	for (const block of blocks) {
		if (test(block)) return block;
		const children =
			block.kind === 'list'
				? block.items.flatMap((item) => item.children)
				: block.kind === 'quote' || block.kind === 'detail'
					? block.children
					: [];
		const inside = find(children, test);
		if (inside !== undefined) return inside;
	}
	return undefined;
}
