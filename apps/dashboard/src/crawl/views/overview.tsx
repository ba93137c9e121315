import { BarList, bytes, Chart, count, Notice, Section, Skeleton, Stat, Stats, Status } from '../../ui/index.ts';
import type { ViewProps } from '../crawl-view.tsx';
import type { CountedEnding, LiveState, ShownCounts, ViewState } from '../data.ts';
import { EndingTable, Facts, Outcome, UrlLink, UrlTable, viewAddress, When } from '../parts.tsx';
import { type Counts, useCounts } from '../use-counts.ts';
import { outcomeNames, outcomeOf, spanOf } from '../words.ts';
import { PausedHosts } from './hosts.tsx';

/** A crawl at work, or a store at rest. */
export function OverviewView({ state, live }: ViewProps) {
	// Not known yet whether there is a crawl: a new one has no store to read.
	if (live.value === undefined) return live.error === undefined ? <Skeleton /> : null;
	if (live.value !== null) return <LiveOverview live={live.value} />;
	return <StoreOverview state={state.value} />;
}

const states = {
	starting: 'The crawl begins.',
	running: 'The crawl runs.',
	pausing: 'The crawl waits for its next cycle.',
	done: 'The crawl has ended.',
} as const satisfies Record<LiveState['state'], string>;

function LiveOverview({ live }: { live: LiveState }) {
	const { done, pending, inFlight, pagesPerSecond, milliseconds, requests, speed, step } = live;
	const all = done + pending + inFlight;
	const left =
		pagesPerSecond > 0 ? `about ${spanOf((1000 * pending) / pagesPerSecond)} at this speed` : 'not known yet';
	return (
		<div class="stack">
			<Section
				title="Progress"
				note={live.isComplete === false ? 'It was interrupted: the same command resumes it.' : states[live.state]}
			>
				<div class="progress">
					<progress max={Math.max(1, all)} value={done} aria-label="URLs visited, of those known" />
					<p>
						{count(done)} of {count(all)} known URLs{live.state === 'running' && `; the rest takes ${left}`}
					</p>
				</div>
			</Section>
			<Stats>
				<Stat
					title="Pages done"
					value={count(done)}
					href={viewAddress({ view: 'urls' })}
					detail={`mode: ${live.mode}`}
				/>
				<Stat
					title="Waiting"
					value={count(pending)}
					href={viewAddress({ view: 'urls', outcome: 'waiting' })}
					detail={`${inFlight} in flight`}
				/>
				<Stat
					title="Pages per second"
					value={pagesPerSecond.toFixed(1)}
					trend={speed.map((each) => each.pagesPerSecond)}
					detail="over ten seconds"
				/>
				<Stat title="Received" value={bytes(live.bytes)} detail={`${count(requests)} requests`} />
				<Stat title="Time" value={spanOf(milliseconds)} detail="of this run" />
				<Stat
					title="Hosts"
					value={count(live.hosts.length + live.otherHosts)}
					href={viewAddress({ view: 'hosts' })}
					detail="visited or waiting"
				/>
			</Stats>
			<PausedHosts live={live} />
			<div class="columns">
				<Outcomes amounts={outcomeNames.map((name) => [name, live.outcomes[name] ?? 0])} />
				<Section title="Speed over time" note="Pages per second.">
					<Chart
						title="Pages per second"
						kind="lines"
						times={evenly(
							speed.map(({ at }) => at),
							step,
						)}
						series={[{ name: 'Pages per second', values: speed.map((each) => each.pagesPerSecond) }]}
						format={(value) => value.toFixed(1)}
						empty="No page has been fetched yet."
					/>
				</Section>
			</div>
			<Section title="Outcomes by reason">
				<EndingTable caption="Outcomes by reason" endings={live.endings} />
			</Section>
			<Section title="Latest pages">
				<UrlTable caption="Latest pages" urls={live.recent.slice(0, 10)} empty="No page has ended yet." />
			</Section>
			{live.notes.length > 0 && (
				<Section title="Notes" note="Pauses, problems and permissions, the latest first.">
					<ul class="notes">
						{live.notes.map(({ at, text }) => (
							<li key={`${at} ${text}`}>
								<When at={at} /> {text}
							</li>
						))}
					</ul>
				</Section>
			)}
		</div>
	);
}

/** Points of a chart at equal distances, whatever the clock did. */
const evenly = (times: readonly number[], step: number): number[] => {
	const last = times.at(-1) ?? 0;
	return times.map((_, at) => last - (times.length - 1 - at) * step);
};

function Outcomes({ amounts }: { amounts: readonly (readonly [name: string, value: number])[] }) {
	return (
		<Section title="Outcomes" note="Each is a link to its URLs.">
			<BarList
				label="URLs by outcome"
				amounts={amounts
					.filter(([, value]) => value > 0)
					.map(([name, value]) => ({
						label: outcomeOf(name).title,
						value,
						tone: outcomeOf(name).tone,
						href: viewAddress({ view: 'urls', outcome: name }),
					}))}
				empty="No URL has ended yet."
			/>
		</Section>
	);
}

const runStates = {
	complete: { tone: 'good', text: 'The last run visited everything.' },
	interrupted: { tone: 'warn', text: 'The last run was interrupted: the same command resumes it.' },
	open: { tone: 'info', text: 'A crawl is running with this store, in another process.' },
	killed: { tone: 'warn', text: 'The last run was killed: the next crawl resumes it.' },
} as const;

function StoreOverview({ state }: { state: ViewState | undefined }) {
	const counts = useCounts();
	if (state?.run === undefined)
		return state === undefined ? null : <Notice tone="info" title="No crawl has used this store yet." />;
	const { mode, startedAt, endedAt } = state.run;
	const { tone, text } = runStates[state.run.state];
	return (
		<div class="stack">
			<Notice tone={tone} title={text}>
				<Facts
					facts={[
						['Run', `${mode}${endedAt === undefined ? '' : `, ${spanOf(endedAt - startedAt)}`}`],
						['Began', <When key="began" at={startedAt} />],
						['Ended', <When key="ended" at={endedAt} />],
						[
							'Started from',
							state.seeds.map((seed) => (
								<p key={seed.url}>
									<UrlLink url={seed.url} /> <Outcome of={seed.outcome} />
								</p>
							)),
						],
					]}
				/>
			</Notice>
			<Counted counts={counts} />
			{counts.value !== undefined && <StoreFigures counts={counts.value} />}
		</div>
	);
}

/** How far the count of the store is. */
export function Counted({ counts }: { counts: Counts }) {
	if (counts.error !== undefined) return <Status tone="bad">The store cannot be read ({counts.error}).</Status>;
	const { value } = counts;
	if (value === undefined) return <Status>Counting the URLs …</Status>;
	return (
		<div class="more">
			<Status>
				{value.isComplete ? `${count(value.counted)} URLs counted.` : `${count(value.counted)} URLs counted so far …`}
			</Status>
			{value.isComplete && (
				<button type="button" onClick={counts.again}>
					Count again
				</button>
			)}
		</div>
	);
}

function StoreFigures({ counts }: { counts: ShownCounts }) {
	const { pages, sitemaps, speed, step } = counts;
	const sums = outcomeNames.map((name): [string, number] => [name, sumOf(pages, name)]);
	return (
		<>
			<div class="columns">
				<Outcomes amounts={sums} />
				<Section title="Speed over time" note={`Visits of the last run, in slices of ${spanOf(step)}.`}>
					<Chart
						title="Visits"
						kind="bars"
						times={speed.map(({ at }) => at)}
						series={[{ name: 'Visits', values: speed.map(({ visits }) => visits) }]}
						empty="The last run visited no page."
					/>
				</Section>
			</div>
			<Section title="Outcomes by reason" note="Pages of all runs.">
				<EndingTable caption="Outcomes by reason" endings={pages} />
			</Section>
			{sitemaps.length > 0 && (
				<Section title="Sitemaps and feeds">
					<EndingTable caption="Sitemaps and feeds" endings={sitemaps} />
				</Section>
			)}
		</>
	);
}

function sumOf(endings: readonly CountedEnding[], name: string): number {
	const own = endings.filter(({ outcome = 'waiting' }) => outcome === name);
	return own.reduce((sum, ending) => sum + ending.count, 0);
}
