// Main content against pages with ground truth: ours and the peers, per set and page type.
//
//   npm run bench:extract [-- --peers readability+linkedom,defuddle] [--out FILE.json]
//
// The pages lie beside a checkout (packages/extract/scripts/pages.ts); without them there is nothing to measure.
import { writeFileSync } from 'node:fs';
import { extract } from '@wayleave/extract';
import { loadPages, type TruthPage } from '../packages/extract/scripts/pages.ts';
import { interval, mean, pageF1, scoreArticles } from '../packages/extract/scripts/score.ts';
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

const f1Of = ({ page, text }: Result): number => pageF1(page.set, page.text, text);

/** Pages from all over the set, for a quick look. */
function some(pages: readonly TruthPage[]): TruthPage[] {
	const step = Math.max(1, pages.length / Number(option('limit') ?? pages.length));
	return pages.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}

const articles = some(loadPages('article'));
const mixed = some(loadPages('mixed').filter((page) => page.independent));
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
		for (const [set, results] of [
			['article', a],
			['mixed', m],
		] as const) {
			const trained = results.filter(({ page }) => !page.heldOut).map(f1Of);
			const held = results.filter(({ page }) => page.heldOut).map(f1Of);
			const [low, high] = interval(trained, held);
			aside.push(
				`${set}: ${trained.length} pages trained on ${f(mean(trained))}, ${held.length} held out ${f(mean(held))}, difference [${f(low)}, ${f(high)}]`,
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
console.log('The model knows the pages it was trained on: scripts/train.ts prints what it makes of them unseen.');
