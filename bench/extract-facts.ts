// Titles, authors, dates and tokens: ours beside Defuddle's, on the pages with ground truth.
//
//   npm run bench:extract-facts [-- --limit 100]
//
// A title or author is right when its words are those of the truth but for one in five (F1 of words at least 0.8); a date
// when the day is the same. Tokens are cl100k_base, of the page as served by those of the Markdown.
import { extract } from '@wayleave/extract';
import { countTokens } from '@wayleave/extract/tokens';
import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';
import { loadPages, type TruthPage } from '../packages/extract/scripts/pages.ts';
import { mean, scoreMixed } from '../packages/extract/scripts/score.ts';
import { complete } from './extract-peers.ts';
import { showTable } from './measure.ts';

interface Found {
	title: string;
	author: string;
	date: string;
	markdown: string;
}

const ways: Record<string, (html: string, url: string) => Promise<Found>> = {
	async wayleave(html, url) {
		const { markdown, page } = extract(html, url);
		return { title: page.title ?? '', markdown, author: page.author?.join(', ') ?? '', date: page.published ?? '' };
	},
	async defuddle(html, url) {
		const { document } = parseHTML(complete(html));
		const { title, author, published, content } = await Defuddle(document, url, { useAsync: false, markdown: true });
		return { title, author, date: published, markdown: content };
	},
};

const NEAR = 0.8;
const same = (truth: string, found: string): boolean => scoreMixed(truth, found).f1 >= NEAR;
const day = (date: string): string => date.slice(0, 10);
const share = (list: readonly boolean[]): string => `${mean(list.map(Number)).toFixed(3)} of ${list.length}`;
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const at = process.argv.indexOf('--limit');
const limit = at < 0 ? Number.POSITIVE_INFINITY : Number(process.argv[at + 1]);
function some(pages: readonly TruthPage[]): TruthPage[] {
	const step = Math.max(1, pages.length / limit);
	return pages.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}
const articles = some(loadPages('article'));
const mixed = some(loadPages('mixed').filter((page) => page.independent));
if (articles.length === 0) {
	console.error('The pages with ground truth are not here: nothing to measure.');
	process.exit(3);
}
// Peers write warnings for pages they find odd.
console.warn = () => {};
console.error = () => {};

const facts = [['right, mixed set', 'titles', 'authors', 'dates']];
const tokens = [['raw tokens / Markdown tokens, article set', 'median', 'of sums']];
const raw = articles.map((page) => countTokens(page.html()));
for (const [name, find] of Object.entries(ways)) {
	const nothing: Found = { title: '', author: '', date: '', markdown: '' };
	const [titles, authors, dates]: boolean[][] = [[], [], []];
	for (const page of mixed) {
		const found = await find(page.html(), page.url).catch(() => nothing);
		if (page.title !== undefined) titles!.push(same(page.title, found.title));
		if (page.author !== undefined) authors!.push(same(page.author, found.author));
		if (page.date !== undefined) dates!.push(day(page.date) === day(found.date));
	}
	facts.push([name, share(titles!), share(authors!), share(dates!)]);
	const counts: number[] = [];
	for (const page of articles) {
		counts.push(countTokens((await find(page.html(), page.url).catch(() => nothing)).markdown));
	}
	const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
	const ratios = raw.flatMap((count, i) => (counts[i]! > 0 ? [count / counts[i]!] : []));
	tokens.push([name, median(ratios).toFixed(1), (sum(raw) / sum(counts)).toFixed(1)]);
}
console.log(showTable(facts));
console.log(`\n${showTable(tokens)}`);
