import type { DuplicateTally, PauseTally, SitemapTally } from '../../model/events.ts';
import type { Tally, TallyCause, TallyRow } from '../roles/tally.ts';

/** Examples, hosts and seeds that are reported, as for one database. */
const limits = { examples: 2, causes: 200, hosts: 20, paused: 10, seeds: 1000, twins: 10 };

/** The tally of several databases as that of one. */
export function mergeTallies(tallies: readonly Tally[]): Tally {
	const all = <Item>(part: (tally: Tally) => readonly Item[]): Item[] => tallies.flatMap(part);
	return {
		pending: sum(tallies.map(({ pending }) => pending)),
		rows: mergeRows(all(({ rows }) => rows)),
		causes: mergeCauses(all(({ causes }) => causes)),
		seeds: all(({ seeds }) => seeds).slice(0, limits.seeds),
		sitemaps: mergeSitemaps(tallies.map(({ sitemaps }) => sitemaps)),
		duplicates: mergeDuplicates(tallies.map(({ duplicates }) => duplicates)),
		learned: all(({ learned }) => learned).slice(0, limits.hosts),
		paused: mergePauses(tallies.map(({ paused }) => paused)),
	};
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** Items with the same key as one, the most frequent first. */
function merge<Item extends { readonly count: number }>(
	items: readonly Item[],
	key: (item: Item) => string,
	both: (a: Item, b: Item) => Item,
): Item[] {
	const merged = new Map<string, Item>();
	for (const item of items) {
		const known = merged.get(key(item));
		merged.set(key(item), known === undefined ? item : both(known, item));
	}
	return [...merged.values()].sort((a, b) => b.count - a.count);
}

const mergeRows = (rows: readonly TallyRow[]): TallyRow[] =>
	merge(
		rows,
		({ outcome, reason, evidence }) => JSON.stringify([outcome, reason, evidence]),
		(a, b) => ({
			...a,
			count: a.count + b.count,
			examples: [...new Set([...a.examples, ...b.examples])].slice(0, limits.examples),
		}),
	);

const mergeCauses = (causes: readonly TallyCause[]): TallyCause[] =>
	merge(
		causes,
		({ outcome, reason, detail }) => JSON.stringify([outcome, reason, detail]),
		(a, b) => ({ ...a, count: a.count + b.count }),
	).slice(0, limits.causes);

function mergeSitemaps(tallies: readonly SitemapTally[]): SitemapTally {
	const example = tallies.find((tally) => tally.example !== undefined)?.example;
	return {
		read: sum(tallies.map(({ read }) => read)),
		failed: sum(tallies.map(({ failed }) => failed)),
		...(example && { example }),
	};
}

const mergeDuplicates = (tallies: readonly DuplicateTally[]): DuplicateTally => ({
	pages: sum(tallies.map(({ pages }) => pages)),
	examples: tallies.flatMap(({ examples }) => examples).slice(0, limits.twins),
	aliases: tallies.flatMap(({ aliases }) => aliases).slice(0, limits.twins),
});

function mergePauses(tallies: readonly PauseTally[]): PauseTally {
	const urls = tallies.flatMap(({ urls: own }) => own ?? []).sort((a, b) => a.until - b.until);
	const [next] = urls;
	const hosts = tallies.flatMap((tally) => tally.hosts).sort((a, b) => b.until - a.until);
	return {
		hosts: hosts.slice(0, limits.paused),
		...(next && { urls: { ...next, count: sum(urls.map(({ count }) => count)) } }),
	};
}
