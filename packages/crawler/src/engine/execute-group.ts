import { present } from '@wayleave/protocols';
import { CrawlError } from '../base/errors.ts';
import type { CrawlEvent, StartEvent, Stats, Summary } from '../model/events.ts';
import { isRollingSink, type Sink } from '../sinks/types.ts';
import { mergeTallies } from '../store/groups/merge-tallies.ts';
import { StoreGroup } from '../store/groups/store-group.ts';
import type { Store, StoreTrouble } from '../store/roles/store.ts';
import { sinksOfDatabases } from './group-sinks.ts';
import { mergeMeters } from './meter.ts';
import { Run, type RunParts } from './run.ts';
import { summarise } from './summary.ts';

/** The controls of a crawl under way, of one run or several. */
export type Running = Pick<Run, 'stats' | 'stop'>;

/**
 * Crawls with several databases: one run for the hosts of each, at the same time. They end together, when no database
 * has anything to do.
 *
 * @param onStart is called once all have begun
 * @throws CrawlError where an option needs a single database
 */
export async function executeGroup(
	parts: RunParts,
	places: readonly string[],
	onStart: (running: Running) => void,
): Promise<Summary> {
	refuseOptions(parts);
	const { options, emit } = parts;
	const onTrouble = (trouble: StoreTrouble) => emit({ type: 'store', ...trouble });
	const group = await StoreGroup.open(places, {
		...parts.storeOptions,
		...present({ clock: options.clock, documents: options.documents }),
		onTrouble,
	});
	try {
		for (const { sql } of group.members)
			if (sql.documents?.remembered) emit({ type: 'store', state: 'documents', detail: sql.documents.place });
		return await new GroupRun(parts, group.stores).execute(onStart);
	} finally {
		await group.close();
	}
}

/** @throws CrawlError `bad-option` */
function refuseOptions({ options, settings }: RunParts): void {
	const plain = options.sinks?.find((sink) => sink.persistent && !isRollingSink(sink));
	const refused = [
		plain &&
			`${plain.name} cannot be written: use rolling files ('pages/*.jsonl.gz', 'archive/*.warc.gz'), or wayleave store export afterwards`,
		settings.every !== undefined && 'a crawl does not repeat itself (every): start each cycle yourself',
		settings.watch !== undefined && 'pages are not watched (watch)',
	].find(Boolean);
	if (refused !== undefined) throw new CrawlError('bad-option', `with several databases, ${refused}`);
}

class GroupRun implements Running {
	readonly #parts: RunParts;
	readonly #stores: readonly Store[];
	/** The latest run of each database. */
	readonly #runs = new Map<number, Run>();
	/** Of each database its own. */
	readonly #sinks: readonly (readonly Sink[])[];
	readonly #starts: StartEvent[] = [];
	/** Events before the last of the starts. */
	readonly #early: CrawlEvent[] = [];
	#stopped = false;

	constructor(parts: RunParts, stores: readonly Store[]) {
		this.#parts = parts;
		this.#stores = stores;
		this.#sinks = sinksOfDatabases(parts.options.sinks ?? [], stores.length);
	}

	async execute(onStart: (running: Running) => void): Promise<Summary> {
		const runs = this.#stores.map((store, at) => this.#executeOne(store, at, onStart));
		const failed = await Promise.all(runs.map((run) => run.catch((error: unknown) => this.#fail(error))));
		const [error] = failed.flatMap((each) => ('error' in each ? [each.error] : []));
		if (error !== undefined) throw error;
		const summaries = await Promise.all(runs);
		const tallies = await Promise.all(this.#stores.map(({ frontier }) => frontier.tally()));
		const now = this.#now();
		const summary = summarise(mergeTallies(tallies), {
			mode: summaries[0]?.mode ?? 'new',
			complete: summaries.every(({ complete }) => complete),
			meter: mergeMeters([...this.#runs.values()].map(({ meter }) => meter)),
			now,
		});
		this.#parts.emit({ type: 'done', summary });
		return summary;
	}

	/** One database fails: the crawl cannot end, so the others stop where they are. */
	#fail(error: unknown): { readonly error: unknown } {
		this.stop();
		return { error };
	}

	#executeOne(store: Store, at: number, onStart: (running: Running) => void): Promise<Summary> {
		const { options, settings, emit } = this.#parts;
		const { documents: _, ...withoutDocuments } = options;
		const share = Math.max(1, Math.ceil(settings.concurrency / this.#stores.length));
		const parts = {
			...this.#parts,
			options: { ...withoutDocuments, store, sinks: this.#sinks[at] ?? [] },
			settings: { ...settings, concurrency: share },
			emit: (event: CrawlEvent) => this.#emit(event, emit),
		};
		return Run.execute(parts, (run) => {
			const isFirst = this.#runs.size === 0;
			this.#runs.set(at, run);
			if (isFirst) onStart(this);
			if (this.#stopped) run.stop();
		});
	}

	/** One start and one end for all; what comes before all have begun comes after the start. */
	#emit(event: CrawlEvent, emit: (event: CrawlEvent) => void): void {
		if (event.type === 'done') return;
		const hasStarted = this.#starts.length >= this.#stores.length;
		if (hasStarted) emit(event);
		else if (event.type === 'start') this.#starts.push(event);
		// A database that cannot be reached is reported at once.
		else if (event.type === 'store') emit(event);
		else this.#early.push(event);
		const [first] = this.#starts;
		if (hasStarted || first === undefined || this.#starts.length < this.#stores.length) return;
		emit({
			...first,
			pending: sumOf(this.#starts, ({ pending }) => pending),
			known: sumOf(this.#starts, ({ known }) => known),
			workers: Math.max(...this.#starts.map(({ workers }) => workers)),
		});
		for (const each of this.#early.splice(0)) emit(each);
	}

	stop(): void {
		this.#stopped = true;
		for (const run of this.#runs.values()) run.stop();
	}

	stats(): Stats {
		const all = [...this.#runs.values()].map((run) => run.stats());
		const [first] = all;
		if (first === undefined) throw new Error('no run has begun');
		const outcomes = { ...first.outcomes };
		for (const each of all.slice(1))
			for (const outcome of Object.keys(outcomes) as (keyof typeof outcomes)[])
				outcomes[outcome] += each.outcomes[outcome];
		return {
			mode: first.mode,
			outcomes,
			done: sumOf(all, ({ done }) => done),
			pending: sumOf(all, ({ pending }) => pending),
			inFlight: sumOf(all, ({ inFlight }) => inFlight),
			requests: sumOf(all, ({ requests }) => requests),
			bytes: sumOf(all, ({ bytes }) => bytes),
			milliseconds: Math.max(...all.map(({ milliseconds }) => milliseconds)),
			pagesPerSecond: sumOf(all, ({ pagesPerSecond }) => pagesPerSecond),
			hosts: all.flatMap(({ hosts }) => hosts),
		};
	}

	#now(): number {
		const [first] = this.#runs.values();
		return first?.context.pace.now() ?? 0;
	}
}

const sumOf = <Item>(items: readonly Item[], count: (item: Item) => number): number =>
	items.reduce((total, item) => total + count(item), 0);
