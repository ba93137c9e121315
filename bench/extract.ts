// Main content against pages with ground truth: ours and the peers, per set and page type.
//
//   npm run bench:extract [-- --peers readability+linkedom,defuddle] [--out FILE.json]
//
// The same run counts the tokens (cl100k_base) of the pages of the article set as served and as Markdown.
// The pages lie beside a checkout (packages/extract/scripts/pages.ts); without them there is nothing to measure.
import { writeFileSync } from 'node:fs';
import { countTokens } from '@wayleave/extract/tokens';
import { loadPages, type TruthPage } from '../packages/extract/scripts/pages.ts';
import { mean, pageF1, scoreArticles } from '../packages/extract/scripts/score.ts';
import { Contestant, mishaps } from './extract-peers.ts';
import { option, showTable, some } from './measure.ts';

interface Result {
	page: TruthPage;
	text: string;
	/** Of the page as served and of its Markdown, in the article set only: cl100k_base. */
	tokens?: { raw: number; markdown: number };
}

const f = (value: number): string => value.toFixed(4);

async function run(pages: readonly TruthPage[], contestant: Contestant, counted: boolean): Promise<Result[]> {
	const results: Result[] = [];
	for (const page of pages) {
		const html = page.html();
		const { text, markdown } = await contestant.find(html, page.url);
		const tokens = { raw: countTokens(html), markdown: countTokens(markdown) };
		results.push({ page, text, ...(counted && { tokens }) });
	}
	return results;
}

/** How many times fewer tokens the Markdown has: the median page, and all pages together. */
function savings(results: readonly Result[]): [median: number, ofSums: number] {
	const counts = results.flatMap(({ tokens }) => (tokens !== undefined && tokens.markdown > 0 ? [tokens] : []));
	const ratios = counts.map(({ raw, markdown }) => raw / markdown).sort((x, y) => x - y);
	const sum = (key: 'raw' | 'markdown'): number => counts.reduce((total, count) => total + count[key], 0);
	return [ratios[ratios.length >> 1] ?? 0, sum('raw') / sum('markdown')];
}

const f1Of = ({ page, text }: Result): number => pageF1(page.set, page.text, text);

const articles = some(loadPages('article'), option('limit'));
const mixed = some(
	loadPages('mixed').filter((page) => page.independent),
	option('limit'),
);
if (articles.length === 0 || mixed.length === 0) {
	console.error('The pages with ground truth are not here: nothing to measure.');
	process.exit(3);
}
const types = [...new Set(mixed.map((page) => page.type))].sort();
const peers = (option('peers') ?? 'readability+linkedom,defuddle').split(',').filter((name) => name !== '');
const contestants = ['wayleave', 'wayleave favor=recall', ...peers].map((name) => new Contestant(name));

const articleRows = [['article set', 'F1', 'precision', 'recall', 'raw tokens / Markdown tokens: median', 'of sums']];
const mixedRows = [['mixed set', 'mean F1', 'macro', ...types]];
for (const contestant of contestants) {
	const { name } = contestant;
	const a = await run(articles, contestant, true);
	const m = await run(mixed, contestant, false);
	contestant.close();
	const score = scoreArticles(a.map(({ page, text }) => ({ truth: page.text, found: text })));
	const [median, ofSums] = savings(a);
	articleRows.push([name, f(score.f1), f(score.precision), f(score.recall), median.toFixed(1), ofSums.toFixed(1)]);
	const perType = types.map((type) => mean(m.filter(({ page }) => page.type === type).map(f1Of)));
	mixedRows.push([name, f(mean(m.map(f1Of))), f(mean(perType)), ...perType.map(f)]);
	const out = option('out');
	if (name === 'wayleave' && out !== undefined)
		writeFileSync(out, JSON.stringify(Object.fromEntries([...a, ...m].map((r) => [r.page.id, r.text]))));
}
console.log(showTable(articleRows));
console.log(`\n${showTable(mixedRows)}`);
console.log(mishaps(contestants).join('\n'));
console.log('The shipped model knows all these pages: scripts/folds.ts measures models that do not.');
