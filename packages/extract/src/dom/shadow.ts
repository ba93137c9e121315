import type { Document, Element, Node } from './node.ts';

/** Elements other than custom ones that can have a shadow tree (DOM §4.8, "valid shadow host name"). */
const hosts: ReadonlySet<string> = new Set(
	'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

/**
 * Puts declarative shadow trees where a browser shows them: a `template` with `shadowrootmode` is replaced by its
 * content, each `slot` by the children of the host that name it. Children without a slot are not shown, and are
 * removed. (HTML §4.12.3; DOM §4.2.2 "Shadow tree")
 */
export function composeShadowTrees({ templates }: Document): void {
	// Inner trees first: an outer slot may be among the children of an inner host.
	for (const template of templates.toReversed()) if (isShadowTree(template)) compose(template);
}

function isShadowTree({ tag, attributes, parent }: Element): boolean {
	if (tag !== 'template' || parent === null || !(hosts.has(parent.tag) || parent.tag.includes('-'))) return false;
	return mode.test(attributes.shadowrootmode ?? '');
}

const mode = /^(?:open|closed)$/i;

function compose(template: Element): void {
	const host = template.parent;
	// Only the first template of a host creates a shadow tree.
	if (host === null || host.children.find((child) => child.kind === 'element' && isShadowTree(child)) !== template)
		return;
	const assigned = new Map<string, Node[]>();
	for (const child of host.children) {
		if (child === template) continue;
		const slot = child.kind === 'element' ? (child.attributes.slot ?? '') : '';
		const same = assigned.get(slot);
		if (same === undefined) assigned.set(slot, [child]);
		else same.push(child);
	}
	host.children = fillSlots(host, template.children, assigned);
}

/** The nodes with each slot replaced by its assigned nodes, else by its own content; the first slot of a name wins. */
function fillSlots(parent: Element, nodes: readonly Node[], assigned: Map<string, Node[]>): Node[] {
	const filled: Node[] = [];
	for (const node of nodes) {
		if (node.kind === 'element' && node.tag === 'slot') {
			const name = node.attributes.name ?? '';
			filled.push(...(assigned.get(name) ?? fillSlots(parent, node.children, assigned)));
			assigned.delete(name);
		} else {
			if (node.kind === 'element' && node.children.length > 0) node.children = fillSlots(node, node.children, assigned);
			filled.push(node);
		}
	}
	for (const node of filled) node.parent = parent;
	return filled;
}
