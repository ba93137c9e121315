import type { Element, Node } from './node.ts';

/** Every node below `root` in document order, without recursion. `enter` returning false skips what is inside. */
export function walk(root: Element, enter: (node: Node) => boolean | undefined): void {
	let parent: Element = root;
	let index = 0;
	const path: number[] = [];
	for (;;) {
		const node = parent.children[index];
		if (node === undefined) {
			if (parent === root) return;
			parent = parent.parent!;
			index = path.pop()!;
			continue;
		}
		index++;
		if (enter(node) !== false && node.kind === 'element' && node.children.length > 0) {
			path.push(index);
			parent = node;
			index = 0;
		}
	}
}

/** All text below `node`, as it stands in the source. */
export function textContent(node: Node): string {
	if (node.kind === 'text') return node.data;
	let text = '';
	walk(node, (child) => {
		if (child.kind === 'text') text += child.data;
		return true;
	});
	return text;
}
