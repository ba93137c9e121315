// Documents in pieces of a token budget, beside the Markdown splitter of LangChain, on the structure set. Blocks and
// headings are found by mdast, which neither of the two uses.
//
//   npm run bench:chunks [-- --tokens 512]
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { RecursiveCharacterTextSplitter } from '@langchain/textsplitters';
import { chunkMarkdown, extract } from '@wayleave/extract';
import { countTokens } from '@wayleave/extract/tokens';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString as plainText } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';
import { sharedPath } from '../scripts/shared.ts';
import { option, showTable } from './measure.ts';

interface Piece {
	readonly start: number;
	readonly end: number;
	readonly text: string;
	/** The headings that the piece states beside its text. */
	readonly path: readonly string[];
}

type Splitter = (markdown: string, budget: number) => Promise<Piece[]> | Piece[];

const splitters: Record<string, Splitter> = {
	wayleave: (markdown, maxTokens) =>
		chunkMarkdown(markdown, { maxTokens, countTokens }).map(({ start, end, text, headingPath }) => ({
			start,
			end,
			text,
			path: headingPath,
		})),
	'@langchain/textsplitters': async (markdown, chunkSize) => {
		const splitter = RecursiveCharacterTextSplitter.fromLanguage('markdown', {
			chunkSize,
			chunkOverlap: 0,
			lengthFunction: countTokens,
		});
		let at = 0;
		return (await splitter.splitText(markdown)).map((text) => {
			const found = markdown.indexOf(text, at);
			const start = found < 0 ? at : found;
			at = start + text.length;
			return { start, end: at, text, path: [] };
		});
	},
};

interface Block {
	readonly kind: 'table' | 'code';
	readonly start: number;
	readonly end: number;
	readonly fits: boolean;
	/** What each of its pieces should repeat: the header row, or the opening fence. */
	readonly head: string;
}

interface Heading {
	readonly level: number;
	readonly at: number;
	readonly text: string;
}

/** The tables, blocks of code and headings of a document, wherever they are nested. */
function structureOf(markdown: string, budget: number): { blocks: Block[]; headings: Heading[] } {
	const blocks: Block[] = [];
	const headings: Heading[] = [];
	const visit = (node: Nodes, isTop: boolean): void => {
		const start = node.position?.start.offset ?? 0;
		const end = node.position?.end.offset ?? 0;
		if (node.type === 'heading' && isTop) headings.push({ level: node.depth, at: start, text: words(plainText(node)) });
		if (node.type === 'table' || node.type === 'code') {
			const text = markdown.slice(start, end);
			const head = text.split('\n', 1)[0]!.trim();
			blocks.push({ kind: node.type, start, end, fits: countTokens(text) <= budget, head });
		} else if ('children' in node) for (const child of node.children) visit(child, node.type === 'root');
	};
	visit(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }), false);
	return { blocks, headings };
}

/** Letters and digits alone, so that marks of Markdown do not count. */
const words = (text: string): string => text.replace(/<[^>]*>/g, '').replace(/[^\p{L}\p{N}]+/gu, '');

/** The headings above the last heading or text of a piece. */
function headingsAbove(headings: readonly Heading[], { start, end }: Piece): Heading[] {
	const first = headings.filter(({ at }) => at <= start);
	const path: Heading[] = [];
	// Headings at the very beginning of the piece are above its text.
	for (const heading of first.length > 0 ? first : headings.filter(({ at }) => at < end).slice(0, 1)) {
		if (heading.at > start) break;
		while (path.length > 0 && path.at(-1)!.level >= heading.level) path.pop();
		path.push(heading);
	}
	return path;
}

const budget = Number(option('tokens') ?? 512);
const file = sharedPath('data/pages/structure/truth.json');
if (file === undefined) throw new Error('the structure set does not lie beside this checkout');
const pages = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, { url: string }>);
const documents = pages.map(([id, { url }]) => {
	const html = gunzipSync(readFileSync(sharedPath(`data/pages/structure/html/${id}.html.gz`)!)).toString('utf8');
	return extract(html, url).markdown;
});

const figures: string[][] = [];
for (const [name, split] of Object.entries(splitters)) {
	const sums = { pieces: 0, tokens: 0, over: 0, pathless: 0, cutTables: 0, cutCode: 0, headless: 0, missing: 0, ms: 0 };
	for (const markdown of documents) {
		const { blocks, headings } = structureOf(markdown, budget);
		const before = process.cpuUsage();
		const pieces = await split(markdown, budget);
		const { user, system } = process.cpuUsage(before);
		sums.ms += (user + system) / 1000;
		let at = 0;
		for (const piece of pieces) {
			const tokens = countTokens(piece.text);
			sums.pieces++;
			sums.tokens += tokens;
			if (tokens > budget) sums.over++;
			const own = words(piece.text);
			const path = piece.path.map(words);
			const isKnown = (heading: Heading): boolean => path.includes(heading.text) || own.includes(heading.text);
			if (!headingsAbove(headings, piece).every(isKnown)) sums.pathless++;
			if (piece.start > at && words(markdown.slice(at, piece.start)) !== '') sums.missing++;
			at = Math.max(at, piece.end);
		}
		for (const block of blocks) {
			const parts = pieces.filter(({ start, end }) => start < block.end && end > block.start);
			if (parts.length < 2) continue;
			if (block.fits) sums[block.kind === 'table' ? 'cutTables' : 'cutCode']++;
			sums.headless += parts.slice(1).filter(({ text }) => !text.includes(block.head)).length;
		}
	}
	figures.push([
		name,
		String(sums.pieces),
		(sums.tokens / sums.pieces).toFixed(0),
		String(sums.over),
		String(sums.pathless),
		String(sums.cutTables),
		String(sums.cutCode),
		String(sums.headless),
		String(sums.missing),
		(sums.ms / documents.length).toFixed(1),
	]);
}
const all = documents.flatMap((markdown) => structureOf(markdown, budget).blocks);
const countOf = (kind: Block['kind'], fits: boolean): number =>
	all.filter((block) => block.kind === kind && block.fits === fits).length;
console.log(
	`${documents.length} documents, at most ${budget} tokens; tables that fit: ${countOf('table', true)}, larger: ${countOf('table', false)}; code that fits: ${countOf('code', true)}, larger: ${countOf('code', false)}`,
);
console.log(
	showTable([
		[
			'',
			'pieces',
			'tokens each',
			'over budget',
			'without their headings',
			'tables cut that fit',
			'code cut that fits',
			'parts without header or fence',
			'text lost',
			'CPU ms a document',
		],
		...figures,
	]),
);
