import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DashboardFile, type Entry, openGateway, type StudioState } from '@wayleave/gateway';
import { seedLedger } from '../../../../../gateway/src/testing/seeded-ledger.ts';
import { readPolicyFile } from '../../../shared/options/policy-file.ts';
import { recordingTerminal } from '../../../testing/recorder.ts';
import { serveDashboard } from '../dashboard-server.ts';
import { openStudio } from '../studio-server.ts';

export const policyText = `# Terms of the harbour.
origin: https://harbour.example
paths:
  disallow: ["/members"] # staff
policy: { crawl: yes, read: yes, train: no }
identity: { verify: { ranges: false, reverseDns: false, signatures: false } }
`;

export interface Asked {
	readonly method?: string;
	readonly body?: unknown;
	readonly key?: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** As it is sent, in place of `body`. */
	readonly raw?: string;
}

export interface StartOptions {
	/** Null: the gateway runs without a policy file. */
	readonly text?: string | null;
	readonly env?: Readonly<Record<string, string>>;
	/** The built pages. */
	readonly files?: ReadonlyMap<string, DashboardFile>;
	/** The key of the dashboard, for callers from other machines. */
	readonly dashboardKey?: string;
	/** What the ledger has recorded, by the version of the policy. */
	readonly entries?: (version: string) => Iterable<Entry>;
	/** Requests of a made-up ledger that are written besides. Default: 0. */
	readonly seeded?: number;
}

/** A gateway in front of a site without files of its own, with its dashboard and studio. */
export async function startStudio({
	text = policyText,
	env = {},
	files = new Map(),
	dashboardKey,
	entries,
	seeded = 0,
}: StartOptions = {}) {
	const cwd = mkdtempSync(join(tmpdir(), 'wayleave-studio-'));
	const path = join(cwd, 'wayleave.config.yaml');
	if (text !== null) writeFileSync(path, text);
	const terminal = { ...recordingTerminal(cwd), env };
	const flags = text === null ? { origin: 'https://harbour.example' } : {};
	const policy = await readPolicyFile(flags, terminal);
	const inFolder = (config: typeof policy.config) => ({
		...config,
		ledger: { ...config.ledger, store: `sqlite:${join(cwd, 'ledger.db')}` },
	});
	const site = http.createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
	await new Promise((resolve) => site.once('listening', resolve));
	const upstream = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
	const running = await openGateway(inFolder(policy.config), { upstream });
	const reload = async () => running.reload(inFolder((await readPolicyFile(flags, terminal)).config));
	for (const entry of entries?.(running.gateway().published().policyVersion.version) ?? [])
		running.ledger.record(entry);
	await running.ledger.flush();
	if (seeded > 0) await seedLedger(running.ledger, seeded, Date.now());
	const { studio, note } = openStudio({ running, policy, flags: {}, terminal, complete: inFolder, reload });
	const at = { host: '127.0.0.1', port: 0 };
	const { address, server } = await serveDashboard({ at, running, observing: false, files, studio, key: dashboardKey });
	const key = note?.startsWith('key in /') ? readFileSync(note.slice('key in '.length), 'utf8').trim() : '';
	const ask = (name: string, asked: Asked = {}) => askStudio(address.port, name, asked);
	const state = async () => (await ask('state')).json as unknown as StudioState;
	const close = async () => {
		server.close().closeAllConnections();
		await running.close(100);
		site.close().closeAllConnections();
	};
	const url = `http://127.0.0.1:${address.port}/.wayleave/`;
	return { cwd, path, running, key, note, address, url, server, ask, state, close, terminal };
}

function askStudio(port: number, name: string, { method, body, key, headers, raw }: Asked) {
	return new Promise<{ status: number; json: Record<string, unknown> }>((resolve, reject) => {
		const request = http.request(
			{
				host: '127.0.0.1',
				port,
				path: `/.wayleave/api/studio/${name}`,
				method: method ?? (body === undefined && raw === undefined ? 'GET' : 'POST'),
				headers: {
					...(body !== undefined && { 'content-type': 'application/json' }),
					...(key !== undefined && { authorization: `Bearer ${key}` }),
					...headers,
				},
			},
			async (response) => {
				let all = '';
				for await (const chunk of response) all += chunk;
				resolve({ status: response.statusCode ?? 0, json: all.startsWith('{') ? JSON.parse(all) : { text: all } });
			},
		);
		request.on('error', reject);
		request.end(raw ?? (body === undefined ? undefined : JSON.stringify(body)));
	});
}
