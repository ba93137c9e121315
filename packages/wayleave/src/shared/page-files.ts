import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { decodeHtml } from '@wayleave/extract';
import { explainJsonError, fileError } from '@wayleave/io/messages';
import { mediaTypeOfFile } from '@wayleave/protocols/file-types';
import { parseUrl } from '@wayleave/protocols/url';
import { type Terminal, UsageError } from '../terminal/command.ts';
import { isObjectPlace } from './objects.ts';
import { isFolder } from './options/is-folder.ts';
import { linesOf } from './options/lines.ts';
import { readFrom, readNamedText } from './options/read-named.ts';

const pageName = /\.x?html?(\.gz)?$/i;
/** Of a PDF or an office file. */
export const isFileName = (path: string): boolean => mediaTypeOfFile(path) !== undefined;
/** Of a web archive. Common Crawl calls those of texts `.warc.wet.gz`, and those of metadata `.warc.wat.gz`. */
export const isArchiveName = (path: string): boolean => /\.(?:w?arc|wet|wat)(?:\.gz)?$/i.test(path);
/** A saved page of more than this is no page. */
const sizeLimit = 256 * 1024 * 1024;

/** How a file begins that is packed so (RFC 8878 §3.1.1). */
const zstandard = [0x28, 0xb5, 0x2f, 0xfd];

/** A saved page that is to be converted. */
export interface Input {
	/** As the user wrote it, or found below a folder. */
	file: string;
	path: string;
	/** From `--url` or the manifest. */
	url?: string;
	/** Of stdin; files are read when their turn comes. */
	bytes?: Uint8Array;
}

/** Whether an input is a web archive: by its name, or, where that does not tell, by how it begins. */
export function isArchiveInput({ path, bytes }: Input): boolean {
	if (isArchiveName(path)) return true;
	const head = bytes ?? (pageName.test(path) ? undefined : headOf(path));
	if (head === undefined) return false;
	const start = isPacked(head) ? unpackedStart(head) : head.subarray(0, 16);
	return /^(?:WARC\/|filedesc:\/\/)/.test(Buffer.from(start).toString('latin1'));
}

/** The first bytes of a file; undefined where it cannot be read, which is reported when it is converted. */
function headOf(path: string): Uint8Array | undefined {
	try {
		const file = openSync(path, 'r');
		try {
			const head = Buffer.alloc(65_536);
			return head.subarray(0, readSync(file, head, 0, head.length, 0));
		} finally {
			closeSync(file);
		}
	} catch {
		return undefined;
	}
}

const isPacked = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

function unpackedStart(bytes: Uint8Array): Uint8Array {
	try {
		// A part of a packed file is enough to see how it begins.
		return gunzipSync(bytes.subarray(0, 65_536), { finishFlush: constants.Z_SYNC_FLUSH });
	} catch {
		return new Uint8Array();
	}
}

interface InputFlags {
	readonly url?: string;
	readonly manifest?: string;
	readonly stdinName?: string;
}

/** The files to convert: those named, those in named folders, and those of the manifest. @throws UsageError */
export function listInputs(files: readonly string[], flags: InputFlags, terminal: Terminal): Input[] {
	const { cwd } = terminal;
	const urls = flags.manifest === undefined ? new Map<string, string>() : readManifest(flags.manifest, terminal);
	const stdin = (): Input => {
		const name = flags.stdinName ?? '-';
		return { file: name, path: resolve(cwd, name), bytes: terminal.stdin() };
	};
	const named = [...new Set(files)].flatMap((file): Input[] => (file === '-' ? [stdin()] : filesAt(file, cwd, urls)));
	const inputs = named.map((input) => withUrl(input, flags.url ?? urls.get(input.path)));
	for (const [path, url] of files.length === 0 ? urls : []) inputs.push({ file: path, path, url });
	if (inputs.length === 0) throw new UsageError('nothing to convert: name files, a folder, or a --manifest');
	if (flags.url !== undefined && inputs.length > 1)
		throw new UsageError('--url applies to one file; use --manifest for several');
	return inputs;
}

const withUrl = (input: Input, url: string | undefined): Input => (url === undefined ? input : { ...input, url });

/** Its name without what follows it. Pages one by one are not read from a bucket. @throws UsageError */
function archiveObject(file: string): string {
	const path = file.replace(/\?.*$/s, '');
	if (isArchiveName(path)) return path;
	throw new UsageError(`${file}: convert reads web archives from object storage (.warc, .warc.gz, .wet.gz)`);
}

/** Of the files in a folder that state no address, those that the manifest has. */
function filesAt(file: string, cwd: string, urls: ReadonlyMap<string, string>): { file: string; path: string }[] {
	if (isObjectPlace(file)) return [{ file, path: archiveObject(file) }];
	const path = resolve(cwd, file);
	if (!isFolder(path)) return [{ file, path }];
	return readdirSync(path, { recursive: true, encoding: 'utf8' })
		.filter((name) => pageName.test(name) || isArchiveName(name) || (isFileName(name) && urls.has(join(path, name))))
		.sort()
		.map((name) => ({ file: join(file, name), path: join(path, name) }));
}

/** `FILE<white space>URL` lines, or a JSON object of the same; files are relative to the manifest. @throws UsageError */
function readManifest(manifest: string, terminal: Terminal): Map<string, string> {
	const text = readNamedText(manifest, terminal, `--manifest ${manifest}`);
	const folder = manifest === '-' ? terminal.cwd : dirname(resolve(terminal.cwd, manifest));
	const entries = text.trimStart().startsWith('{') ? jsonEntries(text, manifest) : lineEntries(text, manifest);
	const urls = new Map<string, string>();
	for (const { file, url, where } of entries) {
		if (parseUrl(url) === undefined) throw new UsageError(`${where}: ${url} is not a URL`);
		urls.set(resolve(folder, file), new URL(url).href);
	}
	return urls;
}

interface Entry {
	file: string;
	url: string;
	where: string;
}

function jsonEntries(text: string, manifest: string): Entry[] {
	let object: unknown;
	try {
		object = JSON.parse(text);
	} catch (error) {
		throw new UsageError(`${manifest}: ${explainJsonError(error, text)}`);
	}
	return Object.entries(object as Record<string, unknown>).map(([file, url]) => ({
		file,
		url: String(url),
		where: `${manifest}: ${file}`,
	}));
}

function lineEntries(text: string, manifest: string): Entry[] {
	return linesOf(text, manifest).map(({ text: line, where }) => {
		// The URL is the last word, so that file names may hold blanks.
		const [, file, url] = /^(.*\S)\s+(\S+)$/.exec(line) ?? [];
		if (file === undefined || url === undefined) throw new UsageError(`${where}: expected FILE and URL`);
		return { file, url, where };
	});
}

/** Unpacked where they are packed, whatever the name says. */
export function readPage({ file, path, bytes }: Input): Uint8Array {
	if ((bytes?.length ?? sizeOf(path, file)) > sizeLimit) throw new Error(tooLarge);
	const read = bytes ?? readFrom(path, file);
	return isPacked(read) ? unpack(read) : read;
}

function sizeOf(path: string, file: string): number {
	try {
		return statSync(path).size;
	} catch (error) {
		throw fileError(error, file, 'read');
	}
}

/**
 * A saved page: its bytes, and as text.
 *
 * @throws FileError, or an Error with a sentence that says what is wrong with the content
 */
export function readHtml(input: Input): { body: Uint8Array; text: string } {
	const body = readPage(input);
	if (body.length === 0) throw new Error('the file is empty');
	const { text } = decodeHtml(body);
	if (text.startsWith('WARC/'))
		throw new Error('this is a web archive: wayleave convert reads it under a name such as FILE.warc.gz');
	if (zstandard.every((byte, at) => body[at] === byte))
		throw new Error('this is compressed with Zstandard: decompress it first (zstd -d)');
	// Text has no NUL: an image or an archive does. Markdown, JSON and plain text have no tags, and would be mangled.
	if (text.slice(0, 1000).includes('\0') || text.startsWith('%PDF-') || !/<[a-z!]/i.test(text))
		throw new Error('this is not an HTML page');
	return { body, text };
}

const tooLarge = `more than ${sizeLimit / 1024 / 1024} MiB is too large for a page: the file was skipped`;

function unpack(bytes: Uint8Array): Uint8Array {
	try {
		return gunzipSync(bytes, { maxOutputLength: sizeLimit });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new Error(`unpacked, ${tooLarge}`);
		throw new Error('the compressed data is damaged or truncated: fetch or compress the file again');
	}
}
