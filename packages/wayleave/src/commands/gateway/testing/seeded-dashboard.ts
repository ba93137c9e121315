import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkConfig, openGateway, openLedger, type RunningGateway } from '@wayleave/gateway';
import { buildDashboard } from '../../../../../../apps/dashboard/build.ts';
import { seededDays, seedLedger } from '../../../../../gateway/src/testing/seeded-ledger.ts';
import { readDashboardFiles } from '../../../shared/dashboard-files.ts';
import { serveDashboard } from '../dashboard-server.ts';

export interface SeededDashboard {
	/** Ends with `/.wayleave/`. */
	readonly url: string;
	readonly running: RunningGateway;
	close(): Promise<void>;
}

const day = 86_400_000;

/** The made-up ledger, of which the last request came just now, behind the dashboard of a gateway. */
export async function startSeededDashboard(entries: number, store?: string, key?: string): Promise<SeededDashboard> {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-seeded-'));
	await buildDashboard(folder);
	const files = readDashboardFiles(folder);
	if (files === undefined) throw new Error('the dashboard was not built');
	const database = store ?? `sqlite:${join(folder, 'ledger.db')}`;
	const ledger = await openLedger(database, { retentionDays: seededDays + 2 });
	const [known] = await ledger.db.selectFrom('gateway_request').select('at').limit(1).execute();
	if (known === undefined) await seedLedger(ledger, entries, Date.now());
	await ledger.close();
	const site = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
	await new Promise((resolve) => site.once('listening', resolve));
	const config = checkConfig({
		origin: 'https://harbour.example',
		paths: { disallow: ['/members/', '/drafts/', '/cargo/manifests/'] },
		honeypots: ['/archive-all/'],
		policy: { crawl: 'yes', read: 'yes', train: 'ask' },
		rate: { default: 30 },
		identity: { verify: { ranges: false, reverseDns: false, signatures: false } },
		ledger: {
			store: database,
			retentionDays: Math.ceil((Date.now() - (known?.at ?? Date.now())) / day) + seededDays + 2,
		},
	});
	const upstream = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
	const running = await openGateway(config, { upstream });
	const at = { host: '127.0.0.1', port: 0 };
	const { address, server } = await serveDashboard({ at, running, observing: false, files, key });
	return {
		url: `http://127.0.0.1:${address.port}/.wayleave/`,
		running,
		async close() {
			server.close().closeAllConnections();
			site.close().closeAllConnections();
			await running.close(100);
		},
	};
}
