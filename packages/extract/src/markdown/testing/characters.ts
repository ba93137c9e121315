import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** Markdown read by a CommonMark + GFM parser that is not ours. */
export function parseMarkdown(markdown: string): Root {
	return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** A character and the marks it carries, sorted: `a:em,strong`. */
export function charactersOf(node: Nodes): string[] {
	const out: string[] = [];
	const tags: string[] = [];
	const write = (text: string, marks: readonly string[]): void => {
		for (const c of text) out.push(`${c}:${[...new Set([...marks, ...tags])].sort().join(',')}`);
	};
	const read = (at: Nodes, marks: readonly string[]): void => {
		if (at.type === 'text') write(at.value, marks);
		else if (at.type === 'inlineCode') write(at.value, [...marks, 'code']);
		else if (at.type === 'break') write('\n', marks);
		else if (at.type === 'html') {
			const [, close, name] = /^<(\/?)(\w+)>$/.exec(at.value) ?? [];
			if (name === 'br') write('\n', marks);
			else if (close) tags.splice(tags.lastIndexOf(name!), 1);
			else tags.push(name!);
		} else if ('children' in at) {
			const mark = { strong: 'strong', emphasis: 'em', delete: 'del', link: 'link' }[at.type as string];
			// Plain addresses become links in GFM: the text is what counts.
			const autolink = at.type === 'link' && !at.url.startsWith('https://a.test/');
			for (const child of at.children) read(child, mark === undefined || autolink ? marks : [...marks, mark]);
		}
	};
	read(node, []);
	return out;
}
