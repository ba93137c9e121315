// Titles, authors and dates of publication: ours beside the peers', on the pages with ground truth.
//
//   npm run bench:extract-facts [-- --limit 100] [-- --peers defuddle]
//
// A title or author is right when its words are those of the truth but for one in five (F1 of words at least 0.8); a date
// when the day is the same. All pages of the mixed set that have a truth; the independent ones first.
import { loadPages, type TruthPage } from '../packages/extract/scripts/pages.ts';
import { mean, scoreMixed } from '../packages/extract/scripts/score.ts';
import { Contestant, type Found, mishaps } from './extract-peers.ts';
import { option, showTable, some } from './measure.ts';

const near = 0.8;
const facts = ['title', 'author', 'date'] as const;

function isRight(fact: (typeof facts)[number], truth: string, found: Found): boolean {
	return fact === 'date' ? truth.slice(0, 10) === found.date.slice(0, 10) : scoreMixed(truth, found[fact]).f1 >= near;
}

const pages = some(
	loadPages('mixed').filter(({ title, author, date }) => title ?? author ?? date),
	option('limit'),
);
if (pages.length === 0) {
	console.error('The pages with ground truth are not here: nothing to measure.');
	process.exit(3);
}
const names = (option('peers') ?? 'defuddle,readability+linkedom').split(',').filter((name) => name !== '');
const contestants = ['wayleave', ...names].map((name) => new Contestant(name));
const right = new Map(contestants.map(({ name }) => [name, [] as { page: TruthPage; fact: string; right: boolean }[]]));
// Page by page, all contestants at once: nothing is kept but the verdicts.
for (const page of pages) {
	const html = page.html();
	await Promise.all(
		contestants.map(async (contestant) => {
			const found = await contestant.find(html, page.url);
			for (const fact of facts) {
				const truth = page[fact];
				if (truth !== undefined) right.get(contestant.name)!.push({ page, fact, right: isRight(fact, truth, found) });
			}
		}),
	);
}
for (const contestant of contestants) contestant.close();

for (const [set, wanted] of [
	['independent', true],
	['drafted by an extractor', false],
] as const) {
	const rows = [[`right, mixed set, ${set}`, 'titles', 'authors', 'dates']];
	for (const [name, verdicts] of right) {
		const cells = facts.map((fact) => {
			const list = verdicts.filter((verdict) => verdict.fact === fact && verdict.page.independent === wanted);
			return `${mean(list.map((verdict) => Number(verdict.right))).toFixed(3)} of ${list.length}`;
		});
		rows.push([name, ...cells]);
	}
	console.log(`${showTable(rows)}\n`);
}
console.log(mishaps(contestants).join('\n'));
