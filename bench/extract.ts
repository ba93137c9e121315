// Main content against pages with ground truth: ours and the peers, per set and page type.
//
//   npm run bench:extract [-- --peers readability+linkedom,defuddle] [--out FILE.json]
//
// The pages lie beside a checkout (packages/extract/scripts/pages.ts); without them there is nothing to measure.
import { writeFileSync } from 'node:fs';
import { extract } from '@wayleave/extract';
import { random } from '../packages/extract/scripts/boost.ts';
import { loadPages, type TruthPage } from '../packages/extract/scripts/pages.ts';
import { mean, scoreArticle, scoreArticles, scoreMixed } from '../packages/extract/scripts/score.ts';
import { parseHtml } from '../packages/extract/src/dom/parse.ts';
import { segment } from '../packages/extract/src/select/blocks.ts';
import { loadPeers } from './extract-peers.ts';
import { showTable } from './measure.ts';

interface Result {
	page: TruthPage;
	text: string;
}

const option = (name: string): string | undefined => {
	const at = process.argv.indexOf(`--${name}`);
	return at < 0 ? undefined : process.argv[at + 1];
};
const f = (value: number): string => value.toFixed(4);

/** Peers give HTML: its text, one line per block, as ours is. */
const lines = (html: string): string =>
	segment(parseHtml(html).body)
		.blocks.map((block) => block.text)
		.join('\n');

async function run(
	pages: readonly TruthPage[],
	find: (html: string, url: string) => Promise<string>,
): Promise<Result[]> {
	const results: Result[] = [];
	for (const page of pages) {
		results.push({ page, text: await find(page.html(), page.url).catch(() => '') });
	}
	return results;
}

const f1Of = ({ page, text }: Result): number => scoreMixed(page.text, text).f1;

/** 95 % interval of the difference of two means, by resampling pages. */
function interval(a: readonly number[], b: readonly number[]): string {
	const rand = random(7);
	const resample = (values: readonly number[]): number =>
		mean(values.map(() => values[Math.floor(rand() * values.length)]!));
	const differences = Array.from({ length: 2000 }, () => resample(a) - resample(b)).sort((x, y) => x - y);
	return `[${f(differences[49]!)}, ${f(differences[1949]!)}]`;
}

function articleF1({ page, text }: Result): number {
	const { precision = 0, recall = 0 } = scoreArticle(page.text, text);
	return precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0;
}

const articles = loadPages('article');
const mixed = loadPages('mixed').filter((page) => page.independent);
if (articles.length === 0 || mixed.length === 0) {
	console.error('The pages with ground truth are not here: nothing to measure.');
	process.exit(3);
}
const types = [...new Set(mixed.map((page) => page.type))].sort();
const peers = await loadPeers((option('peers') ?? 'readability+linkedom,defuddle').split(','));
const contestants = [
	{ name: 'wayleave', find: async (html: string, url: string) => extract(html, url).text },
	...peers.map((peer) => ({
		name: peer.name,
		find: async (html: string, url: string) => lines(await peer.content(html, url)),
	})),
];

const articleRows = [['article set', 'F1', 'precision', 'recall']];
const mixedRows = [['mixed set', 'mean F1', 'macro', ...types]];
const aside: string[] = [];
for (const { name, find } of contestants) {
	const a = await run(articles, find);
	const m = await run(mixed, find);
	const score = scoreArticles(a.map(({ page, text }) => ({ truth: page.text, found: text })));
	articleRows.push([name, f(score.f1), f(score.precision), f(score.recall)]);
	const perType = types.map((type) => mean(m.filter(({ page }) => page.type === type).map(f1Of)));
	mixedRows.push([name, f(mean(m.map(f1Of))), f(mean(perType)), ...perType.map(f)]);
	if (name === 'wayleave') {
		for (const [set, results, value] of [
			['article', a, articleF1],
			['mixed', m, f1Of],
		] as const) {
			const tuned = results.filter(({ page }) => !page.heldOut).map(value);
			const held = results.filter(({ page }) => page.heldOut).map(value);
			aside.push(
				`${set}: ${tuned.length} pages tuned on ${f(mean(tuned))}, ${held.length} held out ${f(mean(held))}, difference ${interval(tuned, held)}`,
			);
		}
		const out = option('out');
		if (out !== undefined)
			writeFileSync(out, JSON.stringify(Object.fromEntries([...a, ...m].map((r) => [r.page.id, r.text]))));
	}
}
console.log(showTable(articleRows));
console.log(`\n${showTable(mixedRows)}`);
console.log(`\nMean F1 of pages, 95 % interval of the difference by bootstrap:\n${aside.join('\n')}`);
