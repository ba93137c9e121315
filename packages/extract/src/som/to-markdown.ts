import { absoluteUrl } from '../metadata/urls.ts';
import type { SomDocument, SomElement } from './types.ts';

/**
 * A SOM document as Markdown: headings, text, lists, tables and images; links and controls by name.
 *
 * @param base what links are resolved against (`documentBase`); without it they stay as they are.
 */
export function somToMarkdown(som: SomDocument, base?: string): string {
	const blocks: string[] = [];
	const resolve = (address: string) => target((base !== undefined && absoluteUrl(address, base)) || address);
	for (const region of som.regions) for (const block of blocksOf(region.elements, resolve)) blocks.push(block);
	return `${blocks.join('\n\n')}\n`.replace(/^\n$/, '');
}

type Resolve = (address: string) => string;

function* blocksOf(elements: readonly SomElement[], resolve: Resolve): Generator<string> {
	let line: string[] = [];
	for (const element of elements) {
		const inline = inlineOf(element, resolve);
		if (inline !== undefined) {
			line.push(`- ${inline}`);
			continue;
		}
		if (line.length > 0) yield line.join('\n');
		line = [];
		const block = blockOf(element, resolve);
		if (block !== '') yield block;
		if (element.shadow !== undefined) yield* blocksOf(element.shadow.elements, resolve);
	}
	if (line.length > 0) yield line.join('\n');
}

/** An interactive element as a list item; undefined for other elements. */
function inlineOf(element: SomElement, resolve: Resolve): string | undefined {
	const name = escaped(element.text ?? element.label ?? '');
	const { attrs } = element;
	switch (element.role) {
		case 'link':
			return attrs?.href === undefined ? name : `[${name}](${resolve(attrs.href)})`;
		case 'button':
		case 'text_input':
		case 'textarea':
		case 'checkbox':
		case 'radio':
		case 'select':
			return `${name || '…'} *(${element.role.replace('_', ' ')})*`;
		default:
			return undefined;
	}
}

function blockOf(element: SomElement, resolve: Resolve): string {
	const { attrs, role, text = '', label = '' } = element;
	switch (role) {
		case 'heading':
			return `${'#'.repeat(attrs?.level ?? 2)} ${escaped(text)}`;
		case 'paragraph':
			return escaped(text);
		case 'list':
			return (attrs?.items ?? [])
				.map((item, index) => `${attrs?.ordered ? `${index + 1}.` : '-'} ${escaped(item.text)}`)
				.join('\n');
		case 'table':
			return table(attrs?.headers ?? [], attrs?.rows ?? []);
		case 'image':
			return attrs?.src === undefined
				? escaped(attrs?.alt ?? label)
				: `![${escaped(attrs.alt ?? label)}](${resolve(attrs.src)})`;
		case 'separator':
			return '---';
		case 'group':
			return label === '' ? '' : `**${escaped(label)}**`;
		case 'details':
			return `**${escaped(String(attrs?.summary ?? label))}**`;
		case 'section':
		case 'iframe':
			return typeof attrs?.src === 'string' ? `[${escaped(label || 'frame')}](${resolve(attrs.src)})` : '';
		default:
			return escaped(text || label);
	}
}

function table(headers: readonly string[], rows: readonly (readonly string[])[]): string {
	const width = Math.max(headers.length, ...rows.map((row) => row.length));
	const line = (cells: readonly string[]) =>
		`| ${Array.from({ length: width }, (_, index) => escaped(cells[index] ?? '').replaceAll('|', '\\|')).join(' | ')} |`;
	return [line(headers), `|${' --- |'.repeat(width)}`, ...rows.map(line)].join('\n');
}

function escaped(text: string): string {
	return text.replace(/[\\`*_[\]<]/g, '\\$&').replace(/^(#|[-+>]|\d+[.)])(?=\s|$)/, '\\$1');
}

function target(address: string): string {
	return address.replace(/[\s<>()]/g, (character) =>
		encodeURIComponent(character).replace('(', '%28').replace(')', '%29'),
	);
}
