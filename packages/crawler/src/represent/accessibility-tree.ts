import type { TreeNode } from '@wayleave/extract';
import { parseUrl } from '@wayleave/protocols/url';

const deepest = 200;

/** Whether a JSON value is an accessibility tree as `somToTree` makes them: a document with nodes. */
export function isTree(data: unknown): data is TreeNode {
	return isNode(data) && data.role === 'document' && Array.isArray(data.children);
}

/** The text of an accessibility tree as Markdown. The tree may come from anybody: what is no node is passed over. */
export function treeToMarkdown(tree: TreeNode, url: string): string {
	const blocks: string[] = [];
	const visit = (node: unknown, depth: number) => {
		if (!isNode(node) || depth > deepest) return;
		const block = blockOf(node, url);
		if (block !== '') blocks.push(block);
		if (Array.isArray(node.children)) for (const child of node.children) visit(child, depth + 1);
	};
	for (const child of tree.children ?? []) visit(child, 0);
	return blocks.join('\n\n');
}

function blockOf(node: TreeNode, url: string): string {
	const { role, name, level } = node;
	const text = typeof name === 'string' ? escaped(name) : '';
	if (text === '') return '';
	if (role === 'heading') return `${'#'.repeat(isLevel(level) ? level : 2)} ${text}`;
	if (role === 'listitem') return `- ${text}`;
	const target = typeof node.url === 'string' ? parseUrl(node.url, url) : undefined;
	return role === 'link' && target && /^https?:$/.test(target.protocol) ? `[${text}](${target.href})` : text;
}

const isLevel = (level: unknown): level is number =>
	Number.isInteger(level) && (level as number) >= 1 && (level as number) <= 6;

const escaped = (text: string): string =>
	text
		.replace(/\s+/g, ' ')
		.trim()
		.replace(/[\\`*_[\]<]/g, '\\$&');

function isNode(value: unknown): value is TreeNode {
	return typeof value === 'object' && value !== null && 'role' in value && typeof value.role === 'string';
}
