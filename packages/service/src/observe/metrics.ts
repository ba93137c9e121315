import { escapeLabel, formatFamilyHead } from '@wayleave/io/metrics';

export { metricsType } from '@wayleave/io/metrics';

/** Values of labels come from closed sets: routes, outcomes, reasons, statuses. */
type Labels = Readonly<Record<string, string | number>>;

interface Family {
	readonly type: 'counter' | 'gauge' | 'histogram';
	readonly help: string;
	lines(name: string): Iterable<string>;
}

/** Seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Counts what the service does, for Prometheus. */
export class Metrics {
	readonly #families = new Map<string, Family>();

	counter(name: string, help: string): (labels?: Labels, by?: number) => void {
		const values = new Map<string, number>();
		const lines = (own: string) => [...values].map(([labels, value]) => `${own}${labels} ${value}`);
		this.#families.set(name, { type: 'counter', help, lines });
		return (labels = {}, by = 1) => {
			const key = format(labels);
			values.set(key, (values.get(key) ?? 0) + by);
		};
	}

	/** Read at the moment of asking. */
	gauge(name: string, help: string, read: () => number): void {
		this.#families.set(name, { type: 'gauge', help, lines: (own) => [`${own} ${read()}`] });
	}

	/** @returns makes the counter of one set of labels; it is listed from its first value on */
	histogram(name: string, help: string): (labels: Labels) => (seconds: number) => void {
		const series = new Map<string, { labels: Labels; counts: number[]; sum: number; count: number }>();
		this.#families.set(name, {
			type: 'histogram',
			help,
			*lines(own) {
				for (const { labels, counts, sum, count } of series.values()) {
					for (const [at, le] of buckets.entries()) yield `${own}_bucket${format({ ...labels, le })} ${counts[at]}`;
					yield `${own}_bucket${format({ ...labels, le: '+Inf' })} ${count}`;
					yield `${own}_sum${format(labels)} ${sum}`;
					yield `${own}_count${format(labels)} ${count}`;
				}
			},
		});
		return (labels) => {
			const key = format(labels);
			return (seconds) => {
				const one = series.get(key) ?? { labels, counts: buckets.map(() => 0), sum: 0, count: 0 };
				series.set(key, one);
				one.sum += seconds;
				one.count++;
				for (let at = firstBucket(seconds); at < buckets.length; at++) one.counts[at] = (one.counts[at] ?? 0) + 1;
			};
		};
	}

	/** The text exposition format 0.0.4. */
	format(): string {
		const lines: string[] = [];
		for (const [name, { type, help, lines: of }] of this.#families)
			lines.push(...formatFamilyHead(name, type, help), ...of(name));
		return `${lines.join('\n')}\n`;
	}
}

/** The index of the smallest bucket that holds so many seconds; the number of buckets if none does. */
function firstBucket(seconds: number): number {
	let at = 0;
	while (seconds > (buckets[at] ?? Number.POSITIVE_INFINITY)) at++;
	return at;
}

/** Runs twice a request. */
function format(labels: Labels): string {
	let pairs = '';
	for (const name in labels) pairs += `${pairs === '' ? '' : ','}${name}="${escapeLabel(String(labels[name]))}"`;
	return pairs === '' ? '' : `{${pairs}}`;
}
