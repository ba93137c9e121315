import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { openStoreForReading, type StoreReader } from '@wayleave/crawler';
import { createCrawlView, LiveCrawl, readSource } from '@wayleave/crawler/view';
import { makePrivateFile, makePrivateFolder } from '@wayleave/io/files';
import type { PageFile } from '@wayleave/io/listen';
import { databaseName } from '@wayleave/io/sql';
import { UsageError } from '../terminal/command.ts';
import { readDashboardFiles } from './dashboard-files.ts';
import { showAddress } from './options/addresses.ts';
import { storeFile, storeUrl } from './options/store.ts';
import { servePage } from './page-server.ts';

export { LiveCrawl };

export interface CrawlPageOptions {
	/** As a person typed it. */
	readonly store: string;
	readonly cwd: string;
	/** Default: the port of the last page for this store, else a free one. */
	readonly port?: number | undefined;
	/** The crawl that this process runs. */
	readonly live?: LiveCrawl;
	/** Files of the page by name. Default: those built beside the program. */
	readonly files?: ReadonlyMap<string, PageFile> | undefined;
	/** The opened store, if there is no other way to it. */
	readonly reader?: StoreReader;
}

export interface CrawlPage {
	/** With the key. */
	readonly url: string;
	close(): Promise<void>;
}

/**
 * Serves the page that shows a crawl or a store, on the loopback address. Other users of the machine need the key,
 * which is part of the printed address. Port and key are kept beside an SQLite store, so that an open page finds the
 * crawl again after a restart.
 */
export async function openCrawlPage(options: CrawlPageOptions): Promise<CrawlPage> {
	const { store, cwd, live, files = readDashboardFiles() } = options;
	if (files === undefined)
		throw new UsageError('the page is not built: build it in a checkout with `npm run dashboard`');
	const url = storeUrl(store, cwd);
	const kept = keptAccess(url);
	const before = kept?.read();
	const key = before?.key ?? randomBytes(24).toString('base64url');
	const reader = lazyReader(url, options.reader);
	const show = createCrawlView({
		store: reader.get,
		storeName: databaseName(store),
		files,
		key,
		...(live && { live }),
		readSource: (capture, page) => readSource(capture, page, archiveFile(capture.archive, url)),
	});
	const listen = (port: number) =>
		servePage({ at: { host: '127.0.0.1', port }, show, elsewhere: 'the page of the crawl is at /' });
	const { address, server } = await listenAt(listen, options.port, before?.port);
	// Another process that shows the same store keeps its port.
	if (before === undefined || before.port === address.port || options.port !== undefined)
		kept?.write({ port: address.port, key });
	return {
		url: `http://${showAddress(address)}/#key=${key}`,
		async close() {
			server.close().closeAllConnections();
			live?.close();
			await reader.close();
		},
	};
}

/** A port that was asked for must be free; the port of last time need not be. */
async function listenAt(
	listen: (port: number) => Promise<{ address: { address: string; port: number }; server: Server }>,
	asked: number | undefined,
	last: number | undefined,
) {
	if (asked !== undefined) return listen(asked);
	if (last === undefined) return listen(0);
	return listen(last).catch(() => listen(0));
}

/** Opens the store at the first request that needs it: a new crawl makes its file when it begins. */
function lazyReader(url: string, given: StoreReader | undefined) {
	let opening: Promise<StoreReader> | undefined;
	return {
		async get(): Promise<StoreReader> {
			if (given !== undefined) return given;
			opening ??= openStoreForReading(url);
			try {
				return await opening;
			} catch (error) {
				opening = undefined;
				throw error;
			}
		},
		async close(): Promise<void> {
			const opened = await opening?.catch(() => undefined);
			await opened?.close();
		},
	};
}

interface Access {
	readonly port: number;
	readonly key: string;
}

/** Port and key of the page of an SQLite store, in a file that only this user can read. */
function keptAccess(store: string) {
	const file = storeFile(store);
	if (file === undefined) return undefined;
	const path = `${file}-ui`;
	return {
		read(): Access | undefined {
			try {
				const { port, key } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Access>;
				const isWhole = Number.isInteger(port) && /^[\w-]{32,}$/.test(key ?? '');
				return isWhole ? { port: port ?? 0, key: key ?? '' } : undefined;
			} catch {
				return undefined;
			}
		},
		write(access: Access): void {
			makePrivateFolder(dirname(path));
			makePrivateFile(path);
			writeFileSync(path, `${JSON.stringify(access)}\n`);
		},
	};
}

/** The path of an archive, which a store names as `warc PATH`, several with commas; a moved one lies beside the store. */
function archiveFile(archive: string, store: string): string {
	const [first = ''] = archive.replace(/^warc /, '').split(/, warc /);
	const file = storeFile(store);
	return existsSync(first) || file === undefined ? first : join(dirname(file), basename(first));
}
