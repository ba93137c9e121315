import { readFileSync } from 'node:fs';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';

/** One fenced block of a Markdown page. */
export interface Block {
	/** Line of the fence, from 1. */
	readonly line: number;
	/** The word after the fence; empty where there is none. */
	readonly language: string;
	readonly text: string;
	/** Notes for maintainers in HTML comments directly before and after the block. */
	readonly notes: readonly Note[];
}

/**
 * - `not run`: the block, or with a quoted text only the lines that contain it, is left out, for the reason given.
 * - `exits`: the exit code of the lines that contain the quoted text (or of all).
 * - `continues`: what the block before has started is still running.
 * - `with`: TypeScript declarations that the block relies on.
 */
export interface Note {
	readonly kind: 'not run' | 'exits' | 'continues' | 'with';
	readonly only: string | undefined;
	readonly text: string;
}

export function readBlocks(file: string): Block[] {
	const blocks: Block[] = [];
	collect(fromMarkdown(readFileSync(file, 'utf8')), blocks);
	return blocks;
}

function collect(node: Nodes, blocks: Block[]): void {
	if (!('children' in node)) return;
	for (const [at, child] of node.children.entries()) {
		collect(child, blocks);
		if (child.type !== 'code') continue;
		const notes = [node.children[at - 1], node.children[at + 1]].flatMap((beside) =>
			beside?.type === 'html' ? readNotes(beside.value) : [],
		);
		blocks.push({
			line: child.position?.start.line ?? 0,
			language: child.lang ?? '',
			text: child.value,
			notes,
		});
	}
}

/** `<!-- not run "npm test": REASON -->` */
const notePattern = /<!--\s*(not run|exits|continues|with)(?:\s+"([^"]*)")?:?\s+([\s\S]*?)\s*-->/g;

function readNotes(html: string): Note[] {
	return [...html.matchAll(notePattern)].map(([, kind, only, text]) => ({
		kind: kind as Note['kind'],
		only,
		text: text ?? '',
	}));
}

/** One command of a block, with the output that the page shows below it (console blocks only). */
export interface Command {
	/** Line in the file, from 1. */
	readonly line: number;
	readonly text: string;
	readonly output: readonly string[];
}

/** The commands of a `sh` or `console` block; a backslash at the end of a line continues it. */
export function commandsOf({ language, line, text }: Block): Command[] {
	const commands: { line: number; text: string; output: string[] }[] = [];
	let continued = false;
	for (const [at, raw] of text.split('\n').entries()) {
		const last = commands.at(-1);
		if (continued && last !== undefined) last.text += raw;
		else if (language === 'sh') {
			if (/^\s*(?:#.*)?$/.test(raw)) continue;
			commands.push({ line: line + 1 + at, text: raw, output: [] });
		} else if (raw.startsWith('$ ')) commands.push({ line: line + 1 + at, text: raw.slice(2), output: [] });
		else last?.output.push(raw);
		const current = commands.at(-1);
		continued = current !== undefined && current.output.length === 0 && current.text.endsWith('\\');
		if (continued && current !== undefined) current.text = current.text.slice(0, -1);
	}
	return commands;
}

/** The words of a command line that needs no shell; undefined where it needs one. */
export function wordsOf(line: string): string[] | undefined {
	const words: string[] = [];
	let rest = line.trim();
	while (rest !== '' && !rest.startsWith('#')) {
		const [whole, single, double, bare] =
			/^(?:'([^']*)'|"([^"$`\\]*)"|([^\s'"|&;<>$`(){}*?~\\#]+))(?=\s|$)/.exec(rest) ?? [];
		if (whole === undefined) return undefined;
		words.push(single ?? double ?? bare ?? '');
		rest = rest.slice(whole.length).trimStart();
	}
	return words;
}
