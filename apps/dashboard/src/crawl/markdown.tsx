import type { Nodes, Parents, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { type ComponentChildren, h } from 'preact';
import { useMemo } from 'preact/hooks';
import { historyAddress } from './parts.tsx';

/**
 * The Markdown of a document. Every element is made here, from a closed list: markup in the text stays text, pictures
 * are named and not loaded, and a link leads to the history of its URL in the store.
 */
export function Markdown({ text }: { text: string }) {
	const root = useMemo(() => fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }), [text]);
	return <div class="markdown">{childrenOf(root)}</div>;
}

const childrenOf = (node: Parents): ComponentChildren =>
	node.children.map((child, at) => <Node key={at} node={child} />);

/** Elements that only hold others. */
const plain: Readonly<Partial<Record<RootContent['type'], string>>> = {
	paragraph: 'p',
	blockquote: 'blockquote',
	emphasis: 'em',
	strong: 'strong',
	delete: 'del',
	listItem: 'li',
	tableRow: 'tr',
	footnoteDefinition: 'div',
};

function Node({ node }: { node: Nodes }) {
	const element = plain[node.type as RootContent['type']];
	if (element !== undefined && 'children' in node) return h(element, {}, childrenOf(node));
	switch (node.type) {
		case 'text':
			return <>{node.value}</>;
		case 'html':
			return <code>{node.value}</code>;
		case 'inlineCode':
			return <code>{node.value}</code>;
		case 'code':
			return <pre>{node.value}</pre>;
		case 'break':
			return <br />;
		case 'thematicBreak':
			return <hr />;
		case 'heading':
			// The view has the headings above these.
			return h(`h${Math.min(6, node.depth + 2)}`, {}, childrenOf(node));
		case 'list':
			return node.ordered ? <ol start={node.start ?? 1}>{childrenOf(node)}</ol> : <ul>{childrenOf(node)}</ul>;
		case 'table':
			return <DocumentTable node={node} />;
		case 'tableCell':
			return <td>{childrenOf(node)}</td>;
		case 'image':
			return <span class="picture">[picture{node.alt ? `: ${node.alt}` : ''}]</span>;
		case 'link':
			return <DocumentLink url={node.url}>{childrenOf(node)}</DocumentLink>;
		case 'linkReference':
			return <>{childrenOf(node)}</>;
		case 'footnoteReference':
			return <sup>{node.label ?? node.identifier}</sup>;
		default:
			return null;
	}
}

function DocumentLink({ url, children }: { url: string; children: ComponentChildren }) {
	// A relative address has lost its page; any other scheme is not for a click.
	return /^https?:\/\//i.test(url) ? (
		<a href={historyAddress(url)} title={url}>
			{children}
		</a>
	) : (
		<span title={url}>{children}</span>
	);
}

function DocumentTable({ node }: { node: Extract<Nodes, { type: 'table' }> }) {
	const [head, ...rows] = node.children;
	return (
		<table>
			{head !== undefined && (
				<thead>
					<tr>
						{head.children.map((cell, at) => (
							<th key={at} scope="col">
								{childrenOf(cell)}
							</th>
						))}
					</tr>
				</thead>
			)}
			<tbody>
				{rows.map((row, at) => (
					<Node key={at} node={row} />
				))}
			</tbody>
		</table>
	);
}
