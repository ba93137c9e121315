import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { FileError } from '@wayleave/io/messages';
import { decodeUtf16 } from '@wayleave/protocols';
import { parseUrl } from '@wayleave/protocols/url';
import type { Terminal } from '../command.ts';
import type { ClientFlags } from '../options/agent.ts';
import { clientOptions } from '../options/client.ts';
import { readNamed } from '../options/read-named.ts';
import { waitNotes } from '../output/wait-notes.ts';
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

/** Who asks for addresses, and what stdin is called: its name tells its format. */
export interface InputFlags extends ClientFlags {
	readonly stdinName?: string;
	readonly json?: boolean;
}

/**
 * Reads files, stdin (`-`), what lint knows in folders, and addresses, in the order in which they were named. Nothing
 * else is fetched than what was named.
 */
export async function readInputs(names: readonly string[], flags: InputFlags, terminal: Terminal): Promise<Inputs> {
	const files: RawFile[] = [];
	const unread: Unread[] = [];
	const targets = names.flatMap((name) => {
		if (name === '-' || !isAddress(name)) {
			const inside = name === '-' ? undefined : insideOf(name, terminal.cwd, unread);
			return (inside ?? [name]).map((each) => ({ name: each, tried: false }));
		}
		const url = new URL(name);
		if (url.pathname !== '/' || url.search !== '') return [{ name, tried: false }];
		return sitePaths.map((path) => ({ name: `${url.origin}${path}`, tried: true }));
	});
	const reader = createReader(names, flags, terminal);
	try {
		for (const { name, tried } of targets) {
			const answer = await reader.read(name);
			const shown = name === '-' ? (flags.stdinName ?? name) : name;
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
			detail: 'this folder contains no policy file, list, manifest or document',
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
function createReader(names: readonly string[], flags: InputFlags, terminal: Terminal): Reader {
	let fetcher: Promise<Reader> | undefined;
	return {
		read(name) {
			if (!isAddress(name)) return readLocal(name, terminal);
			fetcher ??= createUrlReader(names.filter(isAddress), flags, terminal);
			return fetcher.then(({ read }) => read(name));
		},
		async close() {
			await (await fetcher)?.close();
		},
	};
}

async function readLocal(name: string, from: Pick<Terminal, 'cwd' | 'stdin'>): Promise<Answer> {
	try {
		return { bytes: readNamed(name, from) };
	} catch (error) {
		if (!(error instanceof FileError)) throw error;
		return { code: error.code, detail: sentenceOf(error) };
	}
}

const maxRedirects = 5;

/** As the crawler asks: as the same agent, at the same pace. */
async function createUrlReader(urls: readonly string[], flags: InputFlags, terminal: Terminal): Promise<Reader> {
	const [{ createPoliteClient }, { fetchFailures, redirectTarget }, { patience }] = await Promise.all([
		import('@wayleave/crawler'),
		import('@wayleave/io'),
		import('../check/visit-site.ts'),
	]);
	const notes = waitNotes(terminal, flags);
	const options = await clientOptions(flags, urls, terminal);
	const client = createPoliteClient(urls, { ...patience, ...options, onProgress: notes.onProgress });
	return {
		async read(url) {
			const answer = await client.get(url, maxRedirects);
			if (!answer.ok) return { code: answer.reason, detail: `${fetchFailures[answer.reason]} (${answer.detail})` };
			const target = redirectTarget(answer);
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
		},
		async close() {
			notes.stop();
			await client.close();
		},
	};
}

function toFile(name: string, bytes: Uint8Array): RawFile {
	return { name, bytes, text: decodeUtf16(bytes) ?? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };
}
