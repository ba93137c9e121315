import { Tokenizer } from 'htmlparser2';
import { TreeBuilder } from './builder.ts';
import { disarmCdata } from './cdata.ts';
import { nameAt } from './names.ts';
import type { Document } from './node.ts';

/** No author writes more class names than this; every later look at them is bounded so. */
const MAX_CLASS = 4_000;

/**
 * Parses a page into a tree in one pass, in time linear in its size. Never throws: HTML has no syntax errors.
 * Comments and the doctype are dropped, `noscript` is ordinary markup, nesting ends at 512 as in browsers.
 */
export function parseHtml(html: string): Document {
	const source = disarmCdata(html.includes('\r') ? html.replace(/\r\n?/g, '\n') : html);
	const builder = new TreeBuilder();
	let name = '';
	let key = '';
	let value = '';
	let attributes: Record<string, string> | null = null;
	const open = (selfClosing: boolean): void => {
		const attached = attributes;
		attributes = null;
		builder.startTag(name, attached, selfClosing);
	};
	const tokenizer = new Tokenizer(
		{},
		{
			ontext: (start, end) => builder.addText(source.slice(start, end)),
			ontextentity: (codePoint) => builder.addText(String.fromCodePoint(codePoint)),
			onopentagname(start, end) {
				name = nameAt(source, start, end);
			},
			onattribname(start, end) {
				key = nameAt(source, start, end);
			},
			onattribdata(start, end) {
				value = value === '' ? source.slice(start, end) : value + source.slice(start, end);
			},
			onattribentity(codePoint) {
				value += String.fromCodePoint(codePoint);
			},
			onattribend() {
				attributes ??= {};
				if (key === 'class' && value.length > MAX_CLASS) value = value.slice(0, MAX_CLASS);
				// The first of two wins; `constructor` is no attribute that has been.
				if (attributes[key] === undefined || !Object.hasOwn(attributes, key)) attributes[key] = value;
				value = '';
			},
			onopentagend: () => open(false),
			onselfclosingtag: () => open(true),
			onclosetag(start, end) {
				attributes = null;
				builder.endTag(nameAt(source, start, end));
			},
			oncomment() {},
			oncdata: (start, end, offset) => {
				if (builder.inForeign()) builder.addText(source.slice(start, end - offset));
			},
			ondeclaration() {},
			onprocessinginstruction() {},
			onend() {},
			isInForeignContext: () => builder.inForeign(),
		},
	);
	tokenizer.write(source);
	tokenizer.end();
	return builder.finish();
}
