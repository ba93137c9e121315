import { Resolver } from 'node:dns';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { type Config, type Entry, openGateway, type RunningGateway } from '@wayleave/gateway';
import { present } from '@wayleave/protocols';
import { oneLine, placeOf } from '@wayleave/protocols/text';
import { parseUrl } from '@wayleave/protocols/url';
import { readDashboardFiles } from '../../shared/dashboard-files.ts';
import { storeIn } from '../../shared/gateway-store.ts';
import { listenForInterruption } from '../../shared/interruption.ts';
import { type MetricsRoutes, serveMetrics } from '../../shared/metrics-server.ts';
import { readListenAddress, showAddress } from '../../shared/options/addresses.ts';
import { usualDashboard, usualGrace } from '../../shared/options/defaults.ts';
import { type PolicyFile, readPolicyFile } from '../../shared/options/policy-file.ts';
import { proxyOf } from '../../shared/options/proxy.ts';
import { readNamed } from '../../shared/options/read-named.ts';
import { tellOpenFiles } from '../../shared/output/tell-open-files.ts';
import { exitCodes, type Terminal, UsageError } from '../../terminal/command.ts';
import { serveDashboard } from './dashboard-server.ts';
import type { GatewayFlags } from './flags.ts';
import { readDashboardKey } from './sign-in.ts';
import { openStudio } from './studio-server.ts';

export async function runGateway(flags: GatewayFlags, terminal: Terminal): Promise<number> {
	const listen = readListenAddress(flags.listen, '--listen');
	const metricsAt = flags.metrics === undefined ? undefined : readListenAddress(flags.metrics, '--metrics');
	const tls = readTls(flags, terminal);
	const note = (text: string) => terminal.note(`${text}\n`);
	const policy = await readPolicyFile(flags, terminal);
	const proxy = proxyOf(flags, terminal.env, false);
	const running = await openGateway(withStores(policy), {
		upstream: readUpstream(flags.upstream),
		observe: flags.observe === true,
		onNote: note,
		base: policy.base,
		rangesDirectory: resolve(policy.base, '.wayleave/ranges'),
		...present({ proxy, tls }),
		...bounds(flags),
		...(flags.resolver !== undefined && { resolvers: readResolvers(flags.resolver) }),
		...((flags.json || terminal.verbose) && { onEntry: (entry: Entry) => tellEntry(entry, flags, terminal) }),
	});
	tellOpenFiles(storesOf(policy), terminal);
	const beside: Server[] = [];
	const interruption = listenForInterruption(terminal);
	try {
		const metrics = metricsAt && (await serveMetrics(metricsAt, gatewayRoutes(running), namesOf(flags)));
		if (metrics !== undefined) beside.push(metrics.server);
		const reload = reloader(running, flags, terminal);
		const dashboard = await openDashboard(flags, running, policy, terminal, reload);
		if (dashboard !== undefined) beside.push(dashboard.server);
		const address = await running.listen(listen.port, listen.host);
		const scheme = tls === undefined ? 'http' : 'https';
		note(`${policy.config.origin} is served at ${scheme}://${showAddress(address)} from ${flags.upstream}`);
		if (metrics !== undefined) note(`metrics: http://${showAddress(metrics.address)}/metrics`);
		if (dashboard !== undefined) tellDashboard(dashboard, note);
		if (flags.observe) note('observing only: no client is denied');
		await untilStopped(reload, note, interruption.reached);
		note('finishing requests in flight');
		return exitCodes.ok;
	} finally {
		interruption.ignore();
		for (const server of beside) server.close().closeAllConnections();
		await running.close(flags.grace ?? usualGrace);
	}
}

/** Host names that the dashboard and the metrics accept. */
const namesOf = ({ allowHost: allowHosts }: GatewayFlags) => ({ allowHosts });

/** A request of an agent, and the decision: JSON on stdout, or with `--verbose` a line on stderr. */
function tellEntry(entry: Entry, { json }: GatewayFlags, terminal: Terminal): void {
	if (json) terminal.out(`${JSON.stringify(entry)}\n`);
	if (!terminal.verbose) return;
	const { agent, client, method, path, action, reason, status, ruleSource, ruleLine, ruleText } = entry;
	const rule =
		ruleSource === null ? [] : [`${placeOf({ source: ruleSource, line: ruleLine ?? 0 })}  ${ruleText ?? ''}`];
	const why = [action, ...(reason === null ? [] : [reason]), ...rule].join(', ');
	terminal.err(`${oneLine(`${agent ?? client}: ${method} ${path} → ${status}, ${why}`)}\n`);
}

interface OpenDashboard {
	readonly address: AddressInfo;
	readonly server: Server;
	/** Where the key of the studio is; undefined where it is read-only. */
	readonly key: string | undefined;
}

/** Opens the dashboard, unless it is turned off. Only an explicit --dashboard fails the command. */
async function openDashboard(
	flags: GatewayFlags,
	running: RunningGateway,
	policy: PolicyFile,
	terminal: Terminal,
	reload: () => Promise<void>,
): Promise<OpenDashboard | undefined> {
	if (flags.dashboard === false) return undefined;
	const note = (text: string) => terminal.note(`${text}\n`);
	const asked = typeof flags.dashboard === 'string';
	const at = readListenAddress(asked ? String(flags.dashboard) : usualDashboard, '--dashboard');
	const files = readDashboardFiles();
	if (files === undefined) {
		const missing = 'no dashboard: it is not built; build it in a checkout with `npm run dashboard`';
		if (asked) throw new UsageError(missing);
		note(missing);
		return undefined;
	}
	// --origin takes the place of the one in the file.
	const { origin } = flags.origin === undefined ? {} : policy.config;
	const complete = (config: Config) =>
		withStores({ ...policy, config: origin === undefined ? config : { ...config, origin } });
	const { studio, note: studioKey } = openStudio({ running, policy, flags, terminal, complete, reload });
	const names = namesOf(flags);
	const key = readDashboardKey(flags.dashboardKey, terminal);
	const observing = flags.observe === true;
	try {
		const opened = await serveDashboard({ at, running, observing, files, names, studio, key });
		return { ...opened, key: studioKey };
	} catch (error) {
		if (asked) throw error;
		note(`no dashboard: ${usualDashboard} is in use; choose another address with --dashboard`);
		return undefined;
	}
}

function tellDashboard({ address, key }: OpenDashboard, note: (text: string) => void): void {
	const url = `http://${showAddress(address)}/.wayleave/`;
	note(`dashboard: ${url}`);
	if (key !== undefined) note(`policy studio: ${url}studio (${key})`);
}

function bounds({ maxConnections, headerTimeout, requestTimeout, idleTimeout }: GatewayFlags) {
	return present({ maxClients: maxConnections, headerTimeout, requestTimeout, idleTimeout });
}

/** Ready means that people get the site; what keeps agents out stands in the details. */
function gatewayRoutes(running: RunningGateway): MetricsRoutes {
	return {
		metrics: () => running.metrics(),
		ready: () => {
			const shared = running.sharing();
			return { ready: true, robots: running.site(), addressLists: listsOf(running), ...(shared && { shared }) };
		},
	};
}

/** How many of the address lists are there, and those that are not. */
function listsOf(running: RunningGateway) {
	const lists = running.lists();
	const missing = lists.filter(({ ranges }) => ranges === undefined);
	return {
		known: lists.length,
		read: lists.length - missing.length,
		missing: missing.map(({ url, fault = 'not fetched yet' }) => ({ url, fault })),
	};
}

/** Makes the gateway take over the policy file as it is on disk now. */
function reloader(running: RunningGateway, flags: GatewayFlags, terminal: Terminal): () => Promise<void> {
	return async () => {
		await running.reload(withStores(await readPolicyFile(flags, terminal)));
		const { version } = running.gateway().published().policyVersion;
		terminal.note(`reloaded: policy version ${version} is active\n`);
	};
}

/** Waits for the end, and reads the policy file again on SIGHUP. */
async function untilStopped(
	reload: () => Promise<void>,
	note: (text: string) => void,
	interrupted: Promise<void>,
): Promise<void> {
	const onSignal = () => {
		reload().catch((error: unknown) =>
			note(`not reloaded, the previous policy stays active: ${error instanceof Error ? error.message : error}`),
		);
	};
	process.on('SIGHUP', onSignal);
	try {
		await interrupted;
	} finally {
		process.off('SIGHUP', onSignal);
	}
}

/** The files with visitors' addresses, and their companion files. */
function storesOf({ config, base }: PolicyFile): string[] {
	const { ledger, pagedigest } = config;
	const revisions = pagedigest === undefined ? [] : [storeIn(`sqlite:${pagedigest.state}`, base)];
	return [storeIn(ledger.store, base), ...revisions];
}

/** Stores of a policy file stand beside it. */
function withStores({ config, base }: PolicyFile): Config {
	return { ...config, ledger: { ...config.ledger, store: storeIn(config.ledger.store, base) } };
}

function readUpstream(text: string): string {
	const url = parseUrl(text);
	const plain = url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '';
	if (!plain) throw new UsageError(`--upstream ${text}: expected an http or https URL without a path`);
	return text;
}

function readResolvers(servers: string[]): string[] {
	for (const server of servers) {
		try {
			new Resolver().setServers([server]);
		} catch {
			throw new UsageError(`--resolver ${server}: expected the address of a DNS server, such as 127.0.0.1:53`);
		}
	}
	return servers;
}

function readTls({ tlsCert, tlsKey }: GatewayFlags, terminal: Terminal) {
	if (tlsCert === undefined && tlsKey === undefined) return undefined;
	if (tlsCert === undefined || tlsKey === undefined)
		throw new UsageError('--tls-cert and --tls-key must be used together');
	const read = (name: string) => Buffer.from(readNamed(name, terminal));
	return { cert: read(tlsCert), key: read(tlsKey) };
}
