import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buildUserAgent } from '@wayleave/protocols/identity';
import { parseUrl } from '@wayleave/protocols/url';
import { ownPage } from '../options/defaults.ts';
import { whyUnreadable } from '../options/why-unreadable.ts';
import type { LintFile } from './check.ts';

/** A file that was read; its format is told later. */
export type RawFile = Pick<LintFile, 'name' | 'bytes' | 'text'>;

/** What could not be read. `absent`: an address that was only tried, and holds nothing. */
export interface Unread {
	readonly name: string;
	readonly detail: string;
	readonly absent?: true;
}

export interface Inputs {
	readonly files: readonly RawFile[];
	readonly unread: readonly Unread[];
}

/** The policy files of a site: an address without a path stands for them. */
const sitePaths = ['/robots.txt', '/robots2.txt', '/.well-known/pagedigest.json', '/.well-known/tdmrep.json'];

/** Reads files and addresses, in the order in which they were named. Nothing else is fetched than what was named. */
export async function readInputs(names: readonly string[], cwd: string): Promise<Inputs> {
	const targets = names.flatMap((name) => {
		if (!isAddress(name)) return [{ name, tried: false }];
		const url = new URL(name);
		if (url.pathname !== '/' || url.search !== '') return [{ name, tried: false }];
		return sitePaths.map((path) => ({ name: `${url.origin}${path}`, tried: true }));
	});
	const reader = createReader(cwd, names);
	const files: RawFile[] = [];
	const unread: Unread[] = [];
	try {
		for (const { name, tried } of targets) {
			const answer = await reader.read(name);
			if ('bytes' in answer) files.push(toFile(name, answer.bytes));
			else unread.push({ name, detail: answer.detail, ...(tried && answer.absent ? { absent: true } : {}) });
		}
	} finally {
		await reader.close();
	}
	return { files, unread };
}

export function isAddress(name: string): boolean {
	return /^https?:\/\//i.test(name) && parseUrl(name) !== undefined;
}

type Answer = { readonly bytes: Uint8Array } | { readonly detail: string; readonly absent?: boolean };

interface Reader {
	read(name: string): Promise<Answer>;
	close(): Promise<void>;
}

/** The network is loaded only when an address is read. */
function createReader(cwd: string, names: readonly string[]): Reader {
	let fetcher: Promise<Reader> | undefined;
	return {
		read(name) {
			if (!isAddress(name)) return readLocal(resolve(cwd, name));
			fetcher ??= createUrlReader(names.filter(isAddress).map((address) => new URL(address).hostname));
			return fetcher.then(({ read }) => read(name));
		},
		async close() {
			await (await fetcher)?.close();
		},
	};
}

async function readLocal(path: string): Promise<Answer> {
	try {
		return { bytes: await readFile(path) };
	} catch (error) {
		return { detail: whyUnreadable(error) };
	}
}

const maxRedirects = 5;

/** Only hosts that the user named may have a private address. */
async function createUrlReader(hosts: readonly string[]): Promise<Reader> {
	const { createFetcher, fetchFailures, redirectTarget } = await import('@wayleave/io');
	const userAgent = buildUserAgent({ botUrl: ownPage, botName: 'Wayleave' });
	const fetcher = createFetcher({ userAgent, allowPrivate: (host) => hosts.includes(host) });
	const read = async (url: string, hops = 0): Promise<Answer> => {
		const answer = await fetcher.get(url);
		if (!answer.ok) return { detail: `${fetchFailures[answer.reason]} (${answer.detail})` };
		const target = redirectTarget(answer);
		if (target?.ok && hops < maxRedirects) return read(target.url, hops + 1);
		if (target !== undefined) return { detail: target.ok ? 'too many redirects' : target.detail };
		if (answer.status === 200) return { bytes: answer.body };
		return { detail: `HTTP ${answer.status}`, absent: answer.status === 404 || answer.status === 410 };
	};
	return { read: (url) => read(url), close: () => fetcher.close() };
}

function toFile(name: string, bytes: Uint8Array): RawFile {
	return { name, bytes, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };
}
