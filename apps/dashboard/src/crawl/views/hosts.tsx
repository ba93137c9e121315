import { Badge, type Column, count, Section, Skeleton, Table } from '../../ui/index.ts';
import type { ViewProps } from '../crawl-view.tsx';
import type { LiveHost, LiveState, ShownCounts } from '../data.ts';
import { viewAddress, When } from '../parts.tsx';
import { useCounts } from '../use-counts.ts';
import { fromNow, sentence, spanOf } from '../words.ts';
import { Counted } from './overview.tsx';

/** A delay of this many milliseconds makes a host slow. */
const slow = 5000;

export function HostsView({ live }: ViewProps) {
	if (live.value === undefined) return live.error === undefined ? <Skeleton /> : null;
	if (live.value !== null) return <LiveHosts live={live.value} />;
	return <StoredHosts />;
}

function HostLink({ host }: { host: string }) {
	return <a href={viewAddress({ view: 'urls', host })}>{host}</a>;
}

/** The reason why a host waits, with the time at which it goes on. */
function Waiting({ host, now }: { host: LiveHost; now: number }) {
	const { waiting, inFlight, pending, delay, deferred } = host;
	if (inFlight > 0) return <>{inFlight === 1 ? 'A request is in flight' : `${inFlight} requests are in flight`}</>;
	if (waiting !== undefined)
		return (
			<>
				{sentence(waiting.why)}
				{waiting.status !== undefined && ` (status ${waiting.status})`}
				{waiting.detail !== undefined && `: ${waiting.detail}`}
				{waiting.until > now ? `; goes on ${fromNow(waiting.until, now)}` : '; goes on now'}
				{waiting.isPause && (
					<>
						, at <When at={waiting.until} />
					</>
				)}
				{!waiting.isPause && delay >= slow && `, ${spanOf(delay)} between two requests`}
			</>
		);
	if (deferred !== undefined)
		return (
			<>
				{deferred.count} URLs put off to a later run: {deferred.detail ?? deferred.why}
			</>
		);
	return <>{pending > 0 ? 'Its turn comes next' : 'Everything known is visited'}</>;
}

function stateOf({ waiting, inFlight, delay, pending, deferred }: LiveHost) {
	if (waiting?.isPause) return { title: 'paused', tone: 'bad' } as const;
	if (deferred !== undefined && pending === 0) return { title: 'put off', tone: 'warn' } as const;
	if (delay >= slow) return { title: 'slow', tone: 'warn' } as const;
	if (inFlight > 0 || pending > 0) return { title: 'working', tone: 'info' } as const;
	return { title: 'done', tone: 'good' } as const;
}

const columnsAt = (now: number): readonly Column<LiveHost>[] => [
	{ title: 'Host', value: ({ host }) => host, cell: ({ host }) => <HostLink host={host} /> },
	{
		title: 'State',
		value: (host) => stateOf(host).title,
		cell: (host) => <Badge tone={stateOf(host).tone}>{stateOf(host).title}</Badge>,
	},
	{
		title: 'Progress',
		cell: ({ host, done, pending, inFlight }) => (
			<progress max={Math.max(1, done + pending + inFlight)} value={done} aria-label={`Progress of ${host}`} />
		),
	},
	{ title: 'Done', isNumber: true, value: ({ done }) => done, cell: ({ done }) => count(done) },
	{ title: 'Waiting', isNumber: true, value: ({ pending }) => pending, cell: ({ pending }) => count(pending) },
	{ title: 'Why, and until when', isBlock: true, cell: (host) => <Waiting host={host} now={now} /> },
];

function LiveHosts({ live }: { live: LiveState }) {
	const { hosts, otherHosts, now } = live;
	return (
		<Section title="Hosts of this run" note={otherHosts > 0 && `${count(otherHosts)} further hosts are not listed.`}>
			<Table
				caption="Hosts"
				columns={columnsAt(now)}
				rows={hosts}
				rowKey={({ host }) => host}
				empty="No host has been visited yet."
			/>
		</Section>
	);
}

/** The hosts that keep a crawl waiting; nothing where there are none. */
export function PausedHosts({ live }: { live: LiveState }) {
	const slowOnes = live.hosts.filter((host) => stateOf(host).tone === 'bad' || stateOf(host).tone === 'warn');
	if (slowOnes.length === 0) return null;
	return (
		<Section title="Slow and paused hosts" note="Why they wait, and when they go on.">
			<Table
				caption="Slow and paused hosts"
				columns={columnsAt(live.now)}
				rows={slowOnes}
				rowKey={({ host }) => host}
				empty=""
				pageSize={10}
			/>
		</Section>
	);
}

const storedColumns: readonly Column<ShownCounts['hosts'][number]>[] = [
	{ title: 'Host', value: ({ host }) => host, cell: ({ host }) => <HostLink host={host} /> },
	{
		title: 'Progress',
		cell: ({ host, done, waiting }) => (
			<progress max={Math.max(1, done + waiting)} value={done} aria-label={`Progress of ${host}`} />
		),
	},
	{ title: 'Done', isNumber: true, value: ({ done }) => done, cell: ({ done }) => count(done) },
	{ title: 'With a document', isNumber: true, value: ({ read }) => read, cell: ({ read }) => count(read) },
	{ title: 'Waiting', isNumber: true, value: ({ waiting }) => waiting, cell: ({ waiting }) => count(waiting) },
];

function StoredHosts() {
	const counts = useCounts();
	const { hosts = [], otherHosts = 0 } = counts.value ?? {};
	return (
		<Section
			title="Hosts of the store"
			note={otherHosts > 0 && `${count(otherHosts)} or more further hosts are not listed.`}
		>
			<Counted counts={counts} />
			<Table
				caption="Hosts"
				columns={storedColumns}
				rows={hosts}
				rowKey={({ host }) => host}
				empty="The store has no host yet."
			/>
		</Section>
	);
}
