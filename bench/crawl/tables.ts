import { middle } from '../measure.ts';
import { type Figures, firstPages, type Span } from './contest.ts';
import { roles } from './threads.ts';

type Row = readonly (string | number)[];

/** A table in Markdown, as `bench/results/crawl.md` has them. */
export function markdown([head = [], ...rows]: readonly Row[]): string {
	return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** A row for each contestant. The ratios are wayleave's cost, or speed, divided by the contestant's. */
export function contestTable(title: string, results: ReadonlyMap<string, readonly Figures[]>): string {
	const own = results.get('wayleave');
	const rows = [...results].map(([name, all]) => {
		const cell = (value: (figures: Figures) => number, digits: number): string => {
			const ratio = own === undefined || own === all ? '' : ` (${(of(own, value) / of(all, value)).toFixed(2)})`;
			return `${of(all, value).toFixed(digits)}${ratio}`;
		};
		return [
			name,
			cell(({ whole }) => ms(whole), 2),
			cell(({ lastHalf }) => ms(lastHalf), 2),
			cell(({ first }) => first.cpu, 2),
			cell(({ pages, seconds }) => pages / seconds, 0),
			of(all, ({ cpu, seconds }) => cpu / seconds).toFixed(2),
			of(all, ({ rss }) => rss).toFixed(0),
		];
	});
	const head = [title, 'CPU ms a page', 'last half', `CPU s, first ${firstPages}`, 'pages/s', 'cores', 'MiB'];
	return markdown([head, ...rows]);
}

/** Where the time of wayleave goes, and what it allocates. */
export function threadTable(title: string, all: readonly Figures[]): string {
	const row = (name: string, spanOf: (figures: Figures) => Span): Row => [
		name,
		of(all, (figures) => ms(spanOf(figures))).toFixed(2),
		...roles.map((role) =>
			of(all, (figures) => (spanOf(figures).byRole[role] / spanOf(figures).pages) * 1000).toFixed(2),
		),
	];
	return markdown([
		[title, 'all', ...roles],
		row(`first ${firstPages}`, ({ first }) => first),
		row('all', ({ whole }) => whole),
		row('last half', ({ lastHalf }) => lastHalf),
	]);
}

/** kB a page that wayleave's threads take from their heaps; buffers outside of them are not counted. */
export function allocationLine(all: readonly Figures[]): string {
	const kB = (at: 0 | 1) => of(all, ({ allocated = [0, 0], pages }) => allocated[at] / pages / 1000).toFixed(0);
	return `Allocated a page: main thread ${kB(0)} kB, readers ${kB(1)} kB.`;
}

export function coldTable(seconds: ReadonlyMap<string, number>): string {
	const [empty = 1] = seconds.values();
	const rows = [...seconds].map(([name, cpu]) => [name, cpu.toFixed(2), (cpu / empty).toFixed(1)]);
	return markdown([['', 'CPU s', 'times an empty program'], ...rows]);
}

const ms = ({ cpu, pages }: Span): number => (cpu / pages) * 1000;
const of = (all: readonly Figures[], value: (figures: Figures) => number): number => middle(all.map(value));
