import { Parser } from 'htmlparser2';
import { FileError } from '../errors.ts';

export interface XmlElement {
	readonly name: string;
	readonly attributes: Readonly<Record<string, string>>;
	readonly children: readonly XmlNode[];
}

export type XmlNode = XmlElement | string;

/** Elements nest at most so deep: what reads the tree recurses. */
const maxDepth = 400;

interface XmlOptions {
	/** For messages. */
	readonly part: string;
	/** XHTML, whose entities have names, and which may not be well-formed. */
	readonly html?: boolean;
	/** Names without their prefix, which some programs choose otherwise. */
	readonly local?: boolean;
}

/** By its byte order mark, else by what it states, else UTF-8. */
export function decodeXml(bytes: Uint8Array): string {
	const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
	if (isWide) return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
	const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
	const [, stated = 'utf-8'] = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w-]{1,40})/.exec(head) ?? [];
	try {
		return new TextDecoder(/^utf-?16/i.test(stated) ? 'utf-8' : stated).decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}

/** Receives the pieces of an XML file in their order. */
export interface XmlEvents {
	open(name: string, attributes: Readonly<Record<string, string>>): void;
	close(name: string): void;
	text(text: string): void;
}

/** Reads XML without entities of its own, external ones included. @throws FileError */
export function readXml(xml: string, events: XmlEvents, { part, html = false, local = false }: XmlOptions): void {
	let depth = 0;
	const nameOf = (name: string): string => (local ? name.slice(name.indexOf(':') + 1) : name);
	const parser = new Parser(
		{
			onopentag(name, attributes) {
				if (++depth > maxDepth)
					throw new FileError('file-over-limit', `${part} nests deeper than ${maxDepth} elements`);
				events.open(nameOf(name), attributes);
			},
			onclosetag(name) {
				depth--;
				events.close(nameOf(name));
			},
			ontext: (text) => events.text(text),
		},
		{ xmlMode: !html, recognizeSelfClosing: true, recognizeCDATA: true },
	);
	parser.write(xml);
	if (depth > 0 && !html) throw new FileError('file-damaged', `${part} ends before its last element does`);
	parser.end();
}

interface Growing extends XmlElement {
	readonly children: XmlNode[];
}

/** The tree of an XML file under an element without a name. @throws FileError */
export function parseTree(xml: string, options: XmlOptions): XmlElement {
	const root: Growing = { name: '', attributes: {}, children: [] };
	const open = [root];
	readXml(
		xml,
		{
			open(name, attributes) {
				const element: Growing = { name, attributes, children: [] };
				open.at(-1)?.children.push(element);
				open.push(element);
			},
			close: () => {
				if (open.length > 1) open.pop();
			},
			text(text) {
				const children = open.at(-1)?.children ?? [];
				const before = children.at(-1);
				if (typeof before === 'string') children[children.length - 1] = before + text;
				else children.push(text);
			},
		},
		options,
	);
	return root;
}

export const elementsOf = (element: XmlElement | undefined, name?: string): XmlElement[] =>
	(element?.children ?? []).filter(
		(child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name),
	);

/** The first child with one of these names, then its child with the next one, and so on. */
export const within = (element: XmlElement | undefined, ...names: readonly string[]): XmlElement | undefined =>
	names.reduce<XmlElement | undefined>((found, name) => elementsOf(found, name)[0], element);

/** All elements of a name, in the order of the file. */
export function allOf(element: XmlElement | undefined, name: string, found: XmlElement[] = []): XmlElement[] {
	for (const child of elementsOf(element)) {
		if (child.name === name) found.push(child);
		allOf(child, name, found);
	}
	return found;
}

export const textIn = (node: XmlNode | undefined): string =>
	node === undefined ? '' : typeof node === 'string' ? node : node.children.map(textIn).join('');
