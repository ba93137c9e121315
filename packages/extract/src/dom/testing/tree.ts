import { type DefaultTreeAdapterTypes, parse as parse5 } from 'parse5';
import type { Node } from '../node.ts';

/** A tree as one line of tags and text, adjacent texts joined, for comparison. */
export function outline(node: Node): string {
	const out: string[] = [];
	const visit = (item: Node): void => {
		if (item.kind === 'text') {
			out.push(`"${item.data}"`);
			return;
		}
		out.push(`<${item.tag}>`);
		item.children.forEach(visit);
		out.push(`</${item.tag}>`);
	};
	visit(node);
	return tidy(out);
}

/** The same of the body that the standard's own algorithm builds. */
export function standardOutline(html: string, part: 'head' | 'body' = 'body'): string {
	const document = parse5(html, { scriptingEnabled: false });
	const root = document.childNodes.find((node) => node.nodeName === 'html') as DefaultTreeAdapterTypes.Element;
	const out: string[] = [];
	const visit = (node: DefaultTreeAdapterTypes.ChildNode): void => {
		if (node.nodeName === '#text') out.push(`"${(node as DefaultTreeAdapterTypes.TextNode).value}"`);
		if (!('tagName' in node)) return;
		const name = node.tagName.toLowerCase();
		out.push(`<${name}>`);
		('content' in node ? (node.content as DefaultTreeAdapterTypes.DocumentFragment) : node).childNodes.forEach(visit);
		out.push(`</${name}>`);
	};
	visit(root.childNodes.find((node) => node.nodeName === part)!);
	return tidy(out);
}

/** White space that shows nowhere may differ. */
function tidy(parts: readonly string[]): string {
	return parts
		.join('')
		.replace(/""/g, '')
		.replace(/"\s*"/g, '')
		.replace(/\s+"/g, '"')
		.replace(/"\s+(?=[^<])/g, '"');
}
