// What SOM saves against HTML, what it keeps, and what compiling costs, over pages with ground truth.
//
//   npm --prefix bench run som [-- --pages 200]
//
// The pages lie beside a checkout (packages/extract/scripts/pages.ts); without them there is nothing to measure.
import { extract, type SomScope, toSom } from '@wayleave/extract';
import { countTokens } from '@wayleave/extract/tokens';
import { sha256 } from '@wayleave/io/hash';
import { loadPages, type TruthPage } from '../packages/extract/scripts/pages.ts';
import { option, showTable } from './measure.ts';

const scopes: readonly SomScope[] = ['full-page', 'main-content', 'article-body'];
/** Bytes of HTML from which a page counts as large. */
const large = 50_000;

const most = Number(option('pages') ?? Number.POSITIVE_INFINITY);

interface Row {
	readonly set: TruthPage['set'];
	readonly large: boolean;
	/** HTML tokens by SOM tokens, for each scope. */
	readonly ratios: Readonly<Record<SomScope, number>>;
	/** First sentences of the paragraphs of the truth that are there, of how many. */
	readonly kept: { readonly budget: number; readonly none: number; readonly of: number };
	/** CPU milliseconds. */
	readonly compile: number;
	readonly markdown: number;
}

function measure(page: TruthPage): Row {
	const html = page.html();
	const tokens = countTokens(html);
	const texts = Object.fromEntries(
		scopes.map((scope) => [scope, JSON.stringify(toSom(html, page.url, { scope, sha256 }).som)]),
	) as Record<SomScope, string>;
	const whole = toSom(html, page.url, { scope: 'main-content', budget: 'none', sha256 }).som;
	const sentences = firstSentences(page.text);
	return {
		set: page.set,
		large: Buffer.byteLength(html) > large,
		ratios: Object.fromEntries(scopes.map((scope) => [scope, tokens / countTokens(texts[scope])])) as Row['ratios'],
		kept: {
			budget: count(sentences, wordsOf(texts['main-content'])),
			none: count(sentences, wordsOf(JSON.stringify(whole))),
			of: sentences.length,
		},
		// The first calls above have warmed both ways.
		compile: cpu(() => toSom(html, page.url, { scope: 'main-content', sha256 })),
		markdown: cpu(() => extract(html, page.url).markdown),
	};
}

/** The first sentence of each paragraph that has one of more than three words. */
function firstSentences(text: string): string[] {
	return text
		.split(/\n+/)
		.map((paragraph) => letters(/^.*?[.!?。！？](?=\s|$)/.exec(paragraph.trim())?.[0] ?? ''))
		.filter((sentence) => sentence.length > 15);
}

/** Letters and digits alone: white space, quotes and escapes differ between the two sides. */
const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

function wordsOf(json: string): string {
	const parts: string[] = [];
	JSON.parse(json, (_, value: unknown) => {
		if (typeof value === 'string') parts.push(value);
		return value;
	});
	return letters(parts.join(' '));
}

const count = (sentences: readonly string[], text: string): number =>
	sentences.filter((sentence) => text.includes(sentence)).length;

function cpu(call: () => unknown): number {
	const start = process.cpuUsage();
	call();
	const { user, system } = process.cpuUsage(start);
	return (user + system) / 1000;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const median = (values: readonly number[]): number =>
	values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

function sample(pages: readonly TruthPage[]): TruthPage[] {
	const wanted = Math.min(most / 2, pages.length);
	return Array.from({ length: wanted }, (_, index) => pages[Math.floor((index * pages.length) / wanted)]!);
}

const pages = [...sample(loadPages('article')), ...sample(loadPages('mixed'))];
if (pages.length === 0) {
	console.error('The pages with ground truth are not here: nothing to measure.');
	process.exit(3);
}
const rows = pages.map(measure);
const groups: readonly (readonly [string, readonly Row[]])[] = [
	['article', rows.filter(({ set }) => set === 'article')],
	['mixed', rows.filter(({ set }) => set === 'mixed')],
	['over 50 kB', rows.filter((row) => row.large)],
];
const table = [['HTML tokens / SOM tokens', 'pages', ...scopes.flatMap((scope) => [`${scope} mean`, 'median'])]];
for (const [name, group] of groups) {
	const cells = scopes.flatMap((scope) => {
		const ratios = group.map((row) => row.ratios[scope]);
		return [mean(ratios).toFixed(1), median(ratios).toFixed(1)];
	});
	table.push([name, String(group.length), ...cells]);
}
console.log(showTable(table));
const recall = [['first sentences kept, main-content', 'default budget', 'budget none', 'sentences']];
for (const [name, group] of groups) {
	const of = group.reduce((sum, { kept }) => sum + kept.of, 0);
	const share = (key: 'budget' | 'none') =>
		`${((100 * group.reduce((sum, { kept }) => sum + kept[key], 0)) / of).toFixed(1)} %`;
	recall.push([name, share('budget'), share('none'), String(of)]);
}
console.log(`\n${showTable(recall)}`);
const compile = rows.reduce((sum, row) => sum + row.compile, 0);
const markdown = rows.reduce((sum, row) => sum + row.markdown, 0);
console.log(
	`\nCPU a page: SOM ${(compile / rows.length).toFixed(1)} ms, Markdown ${(markdown / rows.length).toFixed(1)} ms: ${(compile / markdown).toFixed(2)} times`,
);

/** How many element ids differ after an edit of the page, of all ids. */
function changedIds(before: string, after: string, url: string): { changed: number; of: number } {
	const ids = (html: string) =>
		toSom(html, url, { sha256, budget: 'none' }).som.regions.flatMap(({ elements }) => elements.map(({ id }) => id));
	const kept = new Set(ids(after));
	const first = ids(before);
	return { changed: first.filter((id) => !kept.has(id)).length, of: first.length };
}

const edits: Readonly<Record<string, (html: string) => string>> = {
	'a word of one paragraph': (html) => html.replace(/(<p\b[^>]*>\s*)([A-Z][a-z]+ )/, '$1Changed '),
	'a paragraph added to the last ones': (html) => {
		const end = html.lastIndexOf('</p>');
		return end < 0 ? html : `${html.slice(0, end + 4)}<p>An added paragraph.</p>${html.slice(end + 4)}`;
	},
	'a banner put before everything': (html) => html.replace(/<body\b[^>]*>/i, '$&<div>A banner of today.</div>'),
};
const stability = [['edit', 'pages', 'ids changed, median', 'mean share']];
for (const [name, edit] of Object.entries(edits)) {
	const counts = pages.slice(0, 100).flatMap((page) => {
		const html = page.html();
		const edited = edit(html);
		return edited === html ? [] : [changedIds(html, edited, page.url)];
	});
	const shares = counts.map(({ changed, of }) => changed / Math.max(1, of));
	const middle = String(median(counts.map(({ changed }) => changed)));
	stability.push([name, String(counts.length), middle, `${(100 * mean(shares)).toFixed(1)} %`]);
}
console.log(`\n${showTable(stability)}`);
