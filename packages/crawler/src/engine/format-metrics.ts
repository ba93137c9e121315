import { escapeLabel, formatFamily } from '@wayleave/io/metrics';
import type { HostStats, Stats } from '../model/events.ts';

/** Hosts that have lines of their own, those with most to do first: what a page of metrics can bear. */
const maxHosts = 100;

type Values = Parameters<typeof formatFamily>[3];

/**
 * The figures of a running crawl in the text exposition format, for Prometheus. They are of this process and this run.
 *
 * @param now milliseconds since 1970
 */
export function formatCrawlMetrics(stats: Stats, now: number): string {
	const { outcomes, pending, inFlight, requests, bytes, milliseconds, hosts } = stats;
	const ended = new Map(Object.entries(outcomes).map(([outcome, count]) => [`outcome="${outcome}"`, count]));
	const busiest = [...hosts].sort((a, b) => b.inFlight - a.inFlight || b.pending - a.pending).slice(0, maxHosts);
	const byHost = (value: (host: HostStats) => number) =>
		new Map(busiest.map((host) => [`host="${escapeLabel(host.host)}"`, value(host)]));
	const counter = (name: string, help: string, values: Values) => formatFamily(name, 'counter', help, values);
	const gauge = (name: string, help: string, values: Values) => formatFamily(name, 'gauge', help, values);
	const waitingUrls = (host: HostStats) => host.pending;
	const wait = ({ waiting }: HostStats) => (waiting === undefined ? 0 : Math.max(0, (waiting.until - now) / 1000));
	const lines = [
		...counter('wayleave_crawl_pages_total', 'Finished URLs by outcome', ended),
		...counter(
			'wayleave_crawl_requests_total',
			'HTTP requests, including those for policy files and sitemaps',
			requests,
		),
		...counter('wayleave_crawl_bytes_total', 'Bytes of content received', bytes),
		...counter('wayleave_crawl_seconds_total', 'Duration of the run', milliseconds / 1000),
		...gauge('wayleave_crawl_pending', 'URLs waiting for a visit', pending),
		...gauge('wayleave_crawl_in_flight', 'Visits in progress', inFlight),
		...gauge('wayleave_crawl_hosts', 'Hosts with URLs to visit', hosts.length),
		...gauge('wayleave_crawl_hosts_waiting', 'Hosts waiting for their next request slot, by reason', waits(hosts)),
		...gauge('wayleave_crawl_host_pending', 'URLs waiting, by host', byHost(waitingUrls)),
		...gauge('wayleave_crawl_host_wait_seconds', 'Time until the next request to the host may be sent', byHost(wait)),
		...gauge('wayleave_crawl_resident_bytes', 'Resident memory of the process', process.memoryUsage.rss()),
	];
	return `${lines.join('\n')}\n`;
}

function waits(hosts: readonly HostStats[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { waiting } of hosts) {
		if (waiting === undefined) continue;
		const label = `why="${waiting.why}"`;
		counts.set(label, (counts.get(label) ?? 0) + 1);
	}
	return counts;
}
