// Writes models as the package reads them (src/select/forest.ts, src/select/model.ts).
import type { Model, Tree } from './boost.ts';

/** Trees in preorder as bytes, in base64. */
export function encodeForest({ base, trees }: Model): string {
	const size = 6 + trees.reduce((sum, tree) => sum + tree.reduce((s, node) => s + (node.feature < 0 ? 4 : 6), 0), 0);
	const view = new DataView(new ArrayBuffer(size));
	view.setFloat32(0, base);
	view.setUint16(4, trees.length);
	let at = 6;
	const write = (tree: Tree, index: number): void => {
		const node = tree[index]!;
		if (node.feature < 0) {
			view.setUint16(at, 0xffff);
			view.setInt16(at + 2, Math.round(node.value * 10_000));
			at += 4;
			return;
		}
		view.setUint16(at, node.feature);
		view.setFloat32(at + 2, node.threshold);
		at += 6;
		write(tree, node.left);
		write(tree, node.right);
	};
	for (const tree of trees) write(tree, 0);
	return Buffer.from(view.buffer).toString('base64').replace(/=+$/, '');
}

export function encodeLexicon(lexicon: ReadonlyMap<string, number>): string {
	return [...lexicon]
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([token, weight]) => `${token}=${Math.round(weight * 20)}`)
		.join(' ');
}
