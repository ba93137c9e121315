import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { FileError } from '@wayleave/io/messages';
import { buildUserAgent } from '@wayleave/protocols/identity';
import { parseUrl } from '@wayleave/protocols/url';
import type { Terminal } from '../command.ts';
import { ownPage } from '../options/defaults.ts';
import { readNamed } from '../options/read-named.ts';
import type { LintFile } from './check.ts';
import { filesIn } from './folder.ts';

/** A file that was read; its format is told later. */
export type RawFile = Pick<LintFile, 'name' | 'bytes' | 'text'>;

/** What could not be read. `absent`: an address that was only tried, and holds nothing. */
export interface Unread {
	readonly name: string;
	readonly detail: string;
	/** For programs: `file-not-found`, `connect-failed`, … */
	readonly code: string;
	readonly absent?: true;
}

export interface Inputs {
	readonly files: readonly RawFile[];
	readonly unread: readonly Unread[];
}

/** The policy files of a site: an address without a path stands for them. */
const sitePaths = ['/robots.txt', '/robots2.txt', '/.well-known/pagedigest.json', '/.well-known/tdmrep.json'];

/** Where files and stdin are read from. */
export interface InputSource extends Pick<Terminal, 'cwd' | 'stdin'> {
	/** What stdin is called: its name tells its format. */
	readonly stdinName?: string;
}

/**
 * Reads files, stdin (`-`), what lint knows in folders, and addresses, in the order in which they were named. Nothing
 * else is fetched than what was named.
 */
export async function readInputs(names: readonly string[], from: InputSource): Promise<Inputs> {
	const files: RawFile[] = [];
	const unread: Unread[] = [];
	const targets = names.flatMap((name) => {
		if (name === '-' || !isAddress(name)) {
			const inside = name === '-' ? undefined : insideOf(name, from.cwd, unread);
			return (inside ?? [name]).map((each) => ({ name: each, tried: false }));
		}
		const url = new URL(name);
		if (url.pathname !== '/' || url.search !== '') return [{ name, tried: false }];
		return sitePaths.map((path) => ({ name: `${url.origin}${path}`, tried: true }));
	});
	const reader = createReader(from, names);
	try {
		for (const { name, tried } of targets) {
			const answer = await reader.read(name);
			const shown = name === '-' ? (from.stdinName ?? name) : name;
			if ('bytes' in answer) files.push(toFile(shown, answer.bytes));
			else
				unread.push({
					name: shown,
					detail: answer.detail,
					code: answer.code,
					...(tried && answer.absent ? { absent: true } : {}),
				});
		}
	} finally {
		await reader.close();
	}
	return { files, unread };
}

export function isAddress(name: string): boolean {
	return /^https?:\/\//i.test(name) && parseUrl(name) !== undefined;
}

/** The files in a folder that lint knows; undefined for what is not a folder. */
function insideOf(name: string, cwd: string, unread: Unread[]): string[] | undefined {
	if (!statSync(resolve(cwd, name), { throwIfNoEntry: false })?.isDirectory()) return undefined;
	try {
		const found = filesIn(name, cwd);
		if (found.length > 0) return found;
		unread.push({
			name,
			code: 'nothing-to-check',
			detail: 'no policy file, list, manifest or document is in this folder',
		});
	} catch (error) {
		if (!(error instanceof FileError)) throw error;
		unread.push({ name, code: error.code, detail: sentenceOf(error) });
	}
	return [];
}

const sentenceOf = ({ message, file }: FileError): string => message.slice(file.length + 2);

type Answer =
	| { readonly bytes: Uint8Array }
	| { readonly detail: string; readonly code: string; readonly absent?: boolean };

interface Reader {
	read(name: string): Promise<Answer>;
	close(): Promise<void>;
}

/** The network is loaded only when an address is read. */
function createReader(from: InputSource, names: readonly string[]): Reader {
	let fetcher: Promise<Reader> | undefined;
	return {
		read(name) {
			if (!isAddress(name)) return readLocal(name, from);
			fetcher ??= createUrlReader(names.filter(isAddress).map((address) => new URL(address).hostname));
			return fetcher.then(({ read }) => read(name));
		},
		async close() {
			await (await fetcher)?.close();
		},
	};
}

async function readLocal(name: string, from: InputSource): Promise<Answer> {
	try {
		return { bytes: readNamed(name, from) };
	} catch (error) {
		if (!(error instanceof FileError)) throw error;
		return { code: error.code, detail: sentenceOf(error) };
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
		if (!answer.ok) return { code: answer.reason, detail: `${fetchFailures[answer.reason]} (${answer.detail})` };
		const target = redirectTarget(answer);
		if (target?.ok && hops < maxRedirects) return read(target.url, hops + 1);
		if (target !== undefined)
			return target.ok
				? { code: 'too-many-redirects', detail: 'too many redirects' }
				: { code: target.reason, detail: target.detail };
		if (answer.status === 200) return { bytes: answer.body };
		return {
			code: `http-${answer.status}`,
			detail: `HTTP ${answer.status}`,
			absent: answer.status === 404 || answer.status === 410,
		};
	};
	return { read: (url) => read(url), close: () => fetcher.close() };
}

function toFile(name: string, bytes: Uint8Array): RawFile {
	return { name, bytes, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };
}
