import type { ElementRole, RegionRole, SomDocument, SomElement } from './types.ts';

/** A node of the `accessibility-tree` format: `docs/reference/accessibility-tree.md` defines it. */
export interface TreeNode {
	/** An ARIA role. */
	role: string;
	/** The accessible name. */
	name?: string;
	/** Target of a link. */
	url?: string;
	level?: number;
	value?: string;
	description?: string;
	/** ARIA states and properties that are set. */
	states?: Record<string, boolean | string>;
	children?: TreeNode[];
}

const regions: Readonly<Record<RegionRole, string>> = {
	navigation: 'navigation',
	main: 'main',
	aside: 'complementary',
	header: 'banner',
	footer: 'contentinfo',
	form: 'form',
	dialog: 'dialog',
	content: 'generic',
};
const elements: Readonly<Record<ElementRole, string>> = {
	link: 'link',
	button: 'button',
	text_input: 'textbox',
	textarea: 'textbox',
	select: 'combobox',
	checkbox: 'checkbox',
	radio: 'radio',
	heading: 'heading',
	image: 'img',
	list: 'list',
	table: 'table',
	paragraph: 'paragraph',
	section: 'region',
	group: 'group',
	separator: 'separator',
	details: 'group',
	iframe: 'Iframe',
};

/** A SOM document as the tree that a browser would expose to assistive technology. */
export function somToTree(som: SomDocument): TreeNode {
	return {
		role: 'document',
		...(som.title === '' ? {} : { name: som.title }),
		children: som.regions.map((region) => ({
			role: regions[region.role],
			...(region.label === undefined ? {} : { name: region.label }),
			children: region.elements.map(nodeOf),
		})),
	};
}

function nodeOf(element: SomElement): TreeNode {
	const { attrs = {}, role } = element;
	const node: TreeNode = { role: roleOf(element) };
	const name =
		element.label ?? element.text ?? attrs.alt ?? (attrs.section_label as string | undefined) ?? attrs.summary;
	if (typeof name === 'string' && name !== '') node.name = name;
	if (attrs.href !== undefined) node.url = attrs.href;
	if (attrs.level !== undefined) node.level = attrs.level;
	if (typeof attrs.value === 'string') node.value = attrs.value;
	if (typeof attrs.description === 'string') node.description = attrs.description;
	const states = statesOf(element);
	if (Object.keys(states).length > 0) node.states = states;
	const children =
		role === 'list'
			? items(attrs.items ?? [])
			: role === 'table'
				? rows(attrs.headers ?? [], attrs.rows ?? [])
				: options(element);
	const shadow = element.shadow?.elements.map(nodeOf) ?? [];
	if (children.length + shadow.length > 0) node.children = [...children, ...shadow];
	return node;
}

/** An ARIA role in the source says more than the SOM role that it was folded into. */
function roleOf(element: SomElement): string {
	const source = element.attrs?.source_role;
	const known = [
		'slider',
		'spinbutton',
		'searchbox',
		'switch',
		'option',
		'tab',
		'menuitem',
		'menuitemcheckbox',
		'menuitemradio',
	];
	const token =
		typeof source === 'string'
			? source
					.toLowerCase()
					.split(/\s+/)
					.find((one) => known.includes(one))
			: undefined;
	if (token !== undefined) return token;
	if (element.attrs?.input_type === 'search') return 'searchbox';
	if (element.role === 'select' && element.attrs?.multiple) return 'listbox';
	return elements[element.role];
}

function statesOf({ attrs = {} }: SomElement): Record<string, boolean | string> {
	const states: Record<string, boolean | string> = { ...attrs.aria };
	for (const name of ['checked', 'disabled', 'readonly', 'required'] as const)
		if (attrs[name] === true) states[name] = true;
	if (attrs.open !== undefined || attrs.summary !== undefined) states.expanded = attrs.open === true;
	return states;
}

function items(list: readonly { text: string }[]): TreeNode[] {
	return list.map(({ text }) => ({ role: 'listitem', name: text }));
}

function rows(headers: readonly string[], body: readonly (readonly string[])[]): TreeNode[] {
	const row = (cells: readonly string[], role: string): TreeNode => ({
		role: 'row',
		children: cells.map((name) => ({ role, name })),
	});
	return [...(headers.length > 0 ? [row(headers, 'columnheader')] : []), ...body.map((cells) => row(cells, 'cell'))];
}

function options({ attrs }: SomElement): TreeNode[] {
	return (attrs?.options ?? []).map(({ text, selected }) => ({
		role: 'option',
		name: text,
		...(selected ? { states: { selected: true } } : {}),
	}));
}
