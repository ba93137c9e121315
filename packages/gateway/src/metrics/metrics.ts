import { addTo, type Counter, createCounter, escapeLabel, formatFamily } from '@wayleave/io/metrics';
import type { RangeListStatus } from '@wayleave/io/ranges';
import { findAgentByToken } from '@wayleave/protocols/identity';
import type { DecidedRequest } from '../decide/decision.ts';
import type { Served } from '../ledger/entry.ts';
import type { ConnectionCounts } from '../proxy/server.ts';
import type { SharingStatus } from '../sharing/open-sharing.ts';
import type { SiteStatus } from '../site/watch.ts';

/** Further values, read at each request. */
export interface Gauges {
	/** Requests being forwarded. */
	inFlight(): number;
	/** Ledger entries that were lost. */
	dropped(): number;
	/** Clients in memory. */
	clients(): number;
	/** State of the site's own robots.txt. */
	site(): SiteStatus;
	/** Open client connections. */
	connections(): ConnectionCounts;
	/** The address lists by which agents are verified. */
	lists(): readonly RangeListStatus[];
	/** State of the store that several gateways share. */
	sharing(): SharingStatus | undefined;
}

/** Counts what the gateway does, for Prometheus: every client is counted, only known agents are named. */
export interface Metrics {
	count(decided: DecidedRequest, served: Served): void;
	/** The text exposition format 0.0.4. */
	format(gauges?: Partial<Gauges>): string;
}

/** Names that clients have made up and that get a label of their own; what comes later is `other`. */
const maxUnknownAgents = 100;

export function createMetrics(): Metrics {
	const counters = {
		requests: createCounter('Requests by action'),
		responses: createCounter('Responses by status class'),
		agents: createCounter('Agent requests by name and verification outcome'),
		violations: createCounter('Violations of rules that the agent had read'),
		bytes: createCounter('Response body bytes sent'),
		bytes_saved: createCounter('Bytes saved by serving representations instead of pages'),
		tokens_saved: createCounter('Tokens (cl100k_base) saved by serving representations instead of pages'),
	} satisfies Record<string, Counter>;
	const agents = new Set<string>();
	const nameOf = (name: string) => {
		// Made-up names cannot push the agents of the catalogue out of the figures.
		const known = findAgentByToken(name)?.token ?? (agents.has(name) ? name : undefined);
		if (known !== undefined) return known;
		if (agents.size >= maxUnknownAgents) return 'other';
		agents.add(name);
		return name;
	};
	return {
		count({ decision, would, purpose, identity, excuse }, served) {
			const { action } = decision;
			addTo(counters.requests, `action="${action}",purpose="${purpose}",would="${would?.action ?? ''}"`);
			addTo(counters.responses, `class="${Math.floor(served.status / 100)}xx"`);
			addTo(counters.bytes, `action="${action}"`, served.bytes);
			if (identity.name === undefined) return;
			const agent = escapeLabel(nameOf(identity.name));
			addTo(counters.agents, `agent="${agent}",outcome="${identity.outcome}"`);
			const decisive = would ?? decision;
			const trapped = decisive.action === 'honeypot' && decisive.excuse === undefined;
			if (trapped || (decisive.action === 'deny' && excuse === undefined))
				addTo(counters.violations, `agent="${agent}",by="${decisive.action}"`);
			if (served.bytesSaved !== undefined) addTo(counters.bytes_saved, '', served.bytesSaved);
			if (served.tokensSaved !== undefined) addTo(counters.tokens_saved, '', served.tokensSaved);
		},
		format({ inFlight, dropped, clients, site, connections, lists, sharing } = {}) {
			const lines = Object.entries(counters).flatMap(([name, { help, values }]) =>
				formatFamily(`wayleave_gateway_${name}_total`, 'counter', help, values),
			);
			lines.push(...gauge('in_flight', 'Requests being forwarded', inFlight?.()));
			lines.push(...gauge('ledger_dropped', 'Ledger entries that were lost', dropped?.()));
			lines.push(...gauge('clients', 'Clients in memory', clients?.()));
			if (connections !== undefined) {
				const { open, evicted, refused } = connections();
				const ended = new Map([
					['why="evicted"', evicted],
					['why="refused"', refused],
				]);
				const help = 'Connections closed to make room, and connections refused';
				lines.push(...gauge('connections', 'Open client connections', open));
				lines.push(...formatFamily('wayleave_gateway_connections_ended_total', 'counter', help, ended));
			}
			if (site !== undefined) lines.push(...siteLines(site()));
			if (lists !== undefined) lines.push(...listLines(lists()));
			lines.push(...sharingLines(sharing?.()));
			lines.push(...gauge('resident_bytes', 'Resident memory of the process', process.memoryUsage.rss()));
			return `${lines.join('\n')}\n`;
		},
	};
}

/** The lines of one gauge; none where there is no value. */
function gauge(name: string, help: string, values: ReadonlyMap<string, number> | number | undefined): string[] {
	return values === undefined ? [] : formatFamily(`wayleave_gateway_${name}`, 'gauge', help, values);
}

function sharingLines(status: SharingStatus | undefined): string[] {
	if (status === undefined) return [];
	const { reachable, gateways, unsettled } = status;
	return [
		...gauge('shared_up', '1 while the store that gateways share can be reached', reachable ? 1 : 0),
		...gauge('shared_gateways', 'Gateways that share the limits, this one included', gateways),
		...gauge('shared_unsettled', 'Clients whose requests the shared store does not know of yet', unsettled),
	];
}

/** Whether each address list is there, and since when its publisher has not confirmed it. */
function listLines(lists: readonly RangeListStatus[]): string[] {
	const label = ({ url }: RangeListStatus) => `list="${escapeLabel(url)}"`;
	const ready = new Map(lists.map((list) => [label(list), list.ranges !== undefined && !list.stale ? 1 : 0]));
	const ages = new Map(
		lists.flatMap((list): [string, number][] =>
			list.confirmedAt === undefined ? [] : [[label(list), Math.round((Date.now() - list.confirmedAt) / 1000)]],
		),
	);
	return [
		...gauge('range_list_ready', '1 if the address list is current; 0 means that it verifies no new clients', ready),
		...gauge('range_list_age_seconds', 'Seconds since the publisher last confirmed the list', ages),
	];
}

/** The state of the site's robots.txt as the value 1 of its label, and whether agents are kept out because of it. */
function siteLines({ state, closed, readAt }: SiteStatus): string[] {
	const states = new Map(
		(['found', 'absent', 'unreadable'] as const).map((each) => [`state="${each}"`, each === state ? 1 : 0]),
	);
	const age = readAt === undefined ? undefined : Math.round((Date.now() - readAt) / 1000);
	return [
		...gauge('site_robots', 'State of the robots.txt of the site at the last check', states),
		...gauge('closed', "1 while agents get 503 because the site's robots.txt was never read", closed ? 1 : 0),
		...gauge('site_robots_age_seconds', "Seconds since the site's robots.txt was last read", age),
	];
}
