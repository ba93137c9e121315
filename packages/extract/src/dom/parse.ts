import { TreeBuilder } from './builder.ts';
import type { Document } from './node.ts';
import { Tokenizer } from './tokenize.ts';

/**
 * Parses a page into a tree in one pass, in time linear in its size. Never throws: HTML has no syntax errors.
 * Comments and the doctype are dropped, `noscript` is ordinary markup, nesting ends at 512 as in browsers.
 */
export function parseHtml(html: string): Document {
	const builder = new TreeBuilder();
	new Tokenizer(html, builder).run();
	return builder.finish();
}
