import type { Element, Node } from '../dom/node.ts';
import { walk } from '../dom/walk.ts';
import { isBlockTag } from './block-tags.ts';
import { type Builder, withoutMark, wrapped } from './builder.ts';
import type { Block } from './model.ts';
import { shortText } from './noise.ts';

const isElement = (node: Node): node is Element => node.kind === 'element';

/** Lists of tabs without ARIA roles: Bootstrap, MkDocs, VitePress, Antora, Hexo. */
const tabList = /(?:^|\s)(?:nav-tabs|tabbed-labels|tablist|tab-list|tabs-nav|tabs__nav|tabs|CodeTabs-toolbar)(?=\s|$)/i;
/** Boxes that hold one panel for each tab. */
const panelsPattern = /(?:^|\s)(?:[\w-]*-)?(?:content|contents|panels|panes|blocks|inner)(?=\s|$)/i;
const panelPattern = /(?:^|\s)(?:tab-?panel|tab-?pane|tabbed-block|tab-content)(?=\s|$)/i;
/** Longer labels are not tabs. */
const maxLabel = 60;
/** The panels stand no further away from their tabs. */
const levels = 3;

/**
 * Finds the panel of each tab, by `aria-controls`, `aria-labelledby`, `href` or order.
 *
 * @returns panel → tab; `undefined` if the element does not list tabs, or has tabs without a panel
 */
export function panelsOf(list: Element, skip: (element: Element) => boolean): Map<Element, Element> | undefined {
	const isAria = list.attributes.role === 'tablist';
	if (!isAria && !tabList.test(list.attributes.class ?? '')) return undefined;
	const tabs = isAria ? tabsByRole(list) : tabsByTag(list);
	if (tabs.length === 0 || tabs.some((tab) => shortText(tab, maxLabel).startsWith('\0'))) return undefined;
	let at = list;
	for (let level = 0; level < levels && at.parent !== null; level++, at = at.parent) {
		const siblings = at.parent.children.filter(isElement);
		const after = siblings.slice(siblings.indexOf(at) + 1);
		const panels = byName(tabs, after) ?? byOrder(tabs.length, after);
		if (panels !== undefined)
			return panels.some(skip) ? undefined : new Map(panels.map((panel, i) => [panel, tabs[i] as Element]));
	}
	return undefined;
}

function tabsByRole(list: Element): Element[] {
	const tabs: Element[] = [];
	walk(list, (node) => {
		if (!isElement(node)) return false;
		if (node.attributes.role === 'tab') tabs.push(node);
		return node.attributes.role !== 'tab';
	});
	return tabs;
}

/** The items of a list, or the labels and links in a box. */
function tabsByTag(list: Element): Element[] {
	const children = list.children.filter((child) => isElement(child) && child.tag !== 'input').filter(isElement);
	const [only] = children;
	if (only !== undefined && children.length === 1 && only.tag === 'ul') return tabsByTag(only);
	const tag = children[0]?.tag ?? '';
	return /^(?:li|label|a|button)$/.test(tag) && children.every((child) => child.tag === tag) && !holdsBlocks(children)
		? children
		: [];
}

/** Lists of links to pages have more in them than a name. */
function holdsBlocks(tabs: readonly Element[]): boolean {
	return tabs.some((tab) => {
		let found = false;
		walk(tab, (node) => {
			found ||= isElement(node) && node.tag !== 'p' && isBlockTag(node.tag);
			return !found;
		});
		return found;
	});
}

function byName(tabs: readonly Element[], roots: readonly Element[]): Element[] | undefined {
	const found = new Map<Element, Element>();
	const ids = new Map<string, Element>();
	for (const tab of tabs) for (const name of namesOf(tab)) ids.set(name, tab);
	if (ids.size === 0) return undefined;
	const look = (node: Node): boolean => {
		if (!isElement(node) || found.size === tabs.length) return false;
		const { id, 'aria-labelledby': labelledBy } = node.attributes;
		const isPanel = node.attributes.role === 'tabpanel' || panelPattern.test(node.attributes.class ?? '');
		const tab =
			ids.get(`#${id ?? ''}`) ?? (isPanel && labelledBy !== undefined ? ids.get(labelledBy.trim()) : undefined);
		if (tab === undefined || found.has(tab)) return true;
		found.set(tab, node);
		return false;
	};
	for (const root of roots) if (look(root)) walk(root, look);
	const panels = tabs.map((tab) => found.get(tab)).filter((panel) => panel !== undefined);
	return panels.length === tabs.length ? panels : undefined;
}

/** The keys of a panel: its own id, or the id of the tab. */
function namesOf(tab: Element): string[] {
	const names: string[] = [];
	for (const part of [tab, ...tab.children.filter(isElement)]) {
		const { id, href, 'aria-controls': controls } = part.attributes;
		if (id !== undefined) names.push(id);
		if (controls !== undefined) names.push(`#${controls.trim()}`);
		if (href?.startsWith('#') && href.length > 1) names.push(href);
	}
	return names;
}

/** As many panels as tabs: next to the list, or in the box next to it. */
function byOrder(count: number, after: readonly Element[]): Element[] | undefined {
	const isPanel = ({ attributes }: Element): boolean =>
		attributes.role === 'tabpanel' || panelPattern.test(attributes.class ?? '');
	const next = after[0];
	const inside = next?.children.filter(isElement) ?? [];
	for (const panels of [after.filter(isPanel), inside.filter(isPanel)]) if (panels.length === count) return panels;
	return next !== undefined && inside.length === count && panelsPattern.test(next.attributes.class ?? '')
		? inside
		: undefined;
}

/** The panel that follows the label of a tab, as Sphinx writes them: `<input><label>Python</label><div>…</div>`. */
export function panelBeside(label: Element): Element | undefined {
	if (!/(?:^|\s)(?:[\w-]+-)?tab-label(?=\s|$)/.test(label.attributes.class ?? '')) return undefined;
	const siblings = label.parent?.children.filter(isElement) ?? [];
	const next = siblings[siblings.indexOf(label) + 1];
	return next !== undefined && panelBesidePattern.test(next.attributes.class ?? '') ? next : undefined;
}

const panelBesidePattern = /(?:^|\s)(?:[\w-]+-)?tab-content(?=\s|$)/;

/** A panel under the name of its tab in bold, unless it begins with that name. */
export function panel(builder: Builder, tab: Element, fill: () => void): void {
	const blocks = builder.collect(fill);
	const { content } = builder.inline(() => builder.children(tab));
	// A tab that shows nothing here needs no name.
	if (blocks.length === 0) return;
	const name: Block = { kind: 'paragraph', content: wrapped(withoutMark(content, 'link'), { name: 'strong' }) };
	if (content.length > 0 && !begins(blocks[0], shortText(tab, maxLabel))) builder.add(name);
	builder.addAll(blocks);
}

function begins(first: Block | undefined, name: string): boolean {
	if (first === undefined || !('content' in first)) return false;
	const text = first.content.map((item) => (item.kind === 'text' || item.kind === 'code' ? item.text : '')).join('');
	return text.trim().toLowerCase() === name.toLowerCase();
}
