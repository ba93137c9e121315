import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { FileError } from '@wayleave/io/messages';
import { ObjectStoreError } from '@wayleave/io/objects';
import { decodeUtf16 } from '@wayleave/protocols';
import { isAddress, type RawFile } from '@wayleave/protocols/lint';
import { fileVocabularies } from '@wayleave/protocols/policy';
import { isObjectPlace, readObject } from '../../shared/objects.ts';
import type { ClientFlags } from '../../shared/options/agent.ts';
import { clientOptions } from '../../shared/options/client.ts';
import { readNamed } from '../../shared/options/read-named.ts';
import { waitNotes } from '../../shared/output/wait-notes.ts';
import type { Terminal } from '../../terminal/command.ts';
import { filesIn } from './folder.ts';

/** An input that could not be read. `absent`: an optional address without a file. */
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
const sitePaths = [
	'/robots.txt',
	'/robots2.txt',
	'/.well-known/pagedigest.json',
	...fileVocabularies.map(({ file }) => file.path),
];

/** Identity for requests, and a name for stdin, which gives its format. */
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
			const response = await reader.read(name);
			const shown = name === '-' ? (flags.stdinName ?? name) : name;
			if ('bytes' in response) files.push(toFile(shown, response.bytes));
			else
				unread.push({
					name: shown,
					detail: response.detail,
					code: response.code,
					...(tried && response.absent ? { absent: true } : {}),
				});
		}
	} finally {
		await reader.close();
	}
	return { files, unread };
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

type ReadResult =
	| { readonly bytes: Uint8Array }
	| { readonly detail: string; readonly code: string; readonly absent?: boolean };

interface Reader {
	read(name: string): Promise<ReadResult>;
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

async function readLocal(name: string, from: Pick<Terminal, 'cwd' | 'stdin'>): Promise<ReadResult> {
	try {
		return { bytes: isObjectPlace(name) ? await readObject(name) : readNamed(name, from) };
	} catch (error) {
		if (error instanceof ObjectStoreError) return { code: error.code, detail: error.message };
		if (!(error instanceof FileError)) throw error;
		return { code: error.code, detail: sentenceOf(error) };
	}
}

const maxRedirects = 5;

/** As the crawler asks: as the same agent, at the same pace. */
async function createUrlReader(urls: readonly string[], flags: InputFlags, terminal: Terminal): Promise<Reader> {
	const [{ createPoliteClient }, { fetchFailures, redirectTarget }, { patience }] = await Promise.all([
		import('@wayleave/crawler'),
		import('@wayleave/io/http'),
		import('../../shared/visit-site.ts'),
	]);
	const notes = waitNotes(terminal, flags);
	const options = await clientOptions(flags, urls, terminal);
	const client = createPoliteClient(urls, { ...patience, ...options, onProgress: notes.onProgress });
	return {
		async read(url) {
			const response = await client.get(url, maxRedirects);
			if (!response.ok)
				return { code: response.reason, detail: `${fetchFailures[response.reason]} (${response.detail})` };
			const target = redirectTarget(response);
			if (target !== undefined)
				return target.ok
					? { code: 'too-many-redirects', detail: 'too many redirects' }
					: { code: target.reason, detail: target.detail };
			if (response.status === 200) return { bytes: response.body };
			return {
				code: `http-${response.status}`,
				detail: `HTTP ${response.status}`,
				absent: response.status === 404 || response.status === 410,
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
