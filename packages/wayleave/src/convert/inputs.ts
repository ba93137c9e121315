import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeHtml } from '@wayleave/extract';
import { parseUrl } from '@wayleave/protocols/url';
import { UsageError } from '../command.ts';
import { isFolder } from '../options/is-folder.ts';
import { linesOf } from '../options/lines.ts';
import { readTextFile } from '../options/read-text.ts';
import { noFile } from '../options/why-unreadable.ts';

const pageName = /\.x?html?(\.gz)?$/i;
/** Of a web archive. Common Crawl calls those of texts `.warc.wet.gz`, and those of metadata `.warc.wat.gz`. */
export const isArchiveName = (path: string): boolean => /\.(?:warc|wet|wat)(?:\.gz)?$/i.test(path);
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
}

/** The files to convert: those named, those in named folders, and those of the manifest. @throws UsageError */
export function listInputs(files: readonly string[], flags: { url?: string; manifest?: string }, cwd: string): Input[] {
	const urls = flags.manifest === undefined ? new Map<string, string>() : readManifest(resolve(cwd, flags.manifest));
	const named = files.flatMap((file) => filesAt(file, cwd));
	const inputs = named.map(({ file, path }) => withUrl(file, path, flags.url ?? urls.get(path)));
	for (const [path, url] of files.length === 0 ? urls : []) inputs.push({ file: path, path, url });
	if (inputs.length === 0) throw new UsageError('nothing to convert: name files, a folder, or a --manifest');
	if (flags.url !== undefined && inputs.length > 1)
		throw new UsageError('--url is for one file; use --manifest for several');
	return inputs;
}

function withUrl(file: string, path: string, url: string | undefined): Input {
	return url === undefined ? { file, path } : { file, path, url };
}

function filesAt(file: string, cwd: string): { file: string; path: string }[] {
	const path = resolve(cwd, file);
	if (!isFolder(path)) return [{ file, path }];
	return readdirSync(path, { recursive: true, encoding: 'utf8' })
		.filter((name) => pageName.test(name) || isArchiveName(name))
		.sort()
		.map((name) => ({ file: join(file, name), path: join(path, name) }));
}

/** `FILE<white space>URL` lines, or a JSON object of the same; files are relative to the manifest. @throws UsageError */
function readManifest(manifest: string): Map<string, string> {
	if (!existsSync(manifest)) throw new UsageError(`--manifest ${manifest}: ${noFile}`);
	const text = readTextFile(manifest);
	const entries = text.trimStart().startsWith('{') ? jsonEntries(text, manifest) : lineEntries(text, manifest);
	const urls = new Map<string, string>();
	for (const { file, url, where } of entries) {
		if (parseUrl(url) === undefined) throw new UsageError(`${where}: ${url} is not a URL`);
		urls.set(resolve(dirname(manifest), file), new URL(url).href);
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
		throw new UsageError(`${manifest}: ${(error as Error).message}`);
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
		if (file === undefined || url === undefined) throw new UsageError(`${where}: a line is FILE and URL`);
		return { file, url, where };
	});
}

/** Unpacked where they are packed, whatever the name says. */
function readPage(path: string): Uint8Array {
	if (!existsSync(path)) throw new Error(noFile);
	if (statSync(path).size > sizeLimit) throw new Error(tooLarge);
	const bytes = readFileSync(path);
	const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
	return packed ? unpack(bytes) : bytes;
}

/**
 * A saved page: its bytes, and as text.
 *
 * @throws Error with a sentence that says what is wrong with the file
 */
export function readHtml(path: string): { body: Uint8Array; text: string } {
	const body = readPage(path);
	if (body.length === 0) throw new Error('the file is empty');
	const { text } = decodeHtml(body);
	if (text.startsWith('WARC/'))
		throw new Error('this is a web archive, which wayleave convert reads under a name such as FILE.warc.gz');
	if (zstandard.every((byte, at) => body[at] === byte))
		throw new Error('this is packed with Zstandard: unpack it first (zstd -d)');
	// Text has no NUL: an image or an archive does. Markdown, JSON and plain text have no tags, and would be mangled.
	if (text.slice(0, 1000).includes('\0') || text.startsWith('%PDF-') || !/<[a-z!]/i.test(text))
		throw new Error('this is no HTML page');
	return { body, text };
}

const tooLarge = `more than ${sizeLimit / 1024 / 1024} MiB, which no page has: it is not read`;

function unpack(bytes: Uint8Array): Uint8Array {
	try {
		return gunzipSync(bytes, { maxOutputLength: sizeLimit });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new Error(`unpacked, ${tooLarge}`);
		throw new Error(`the compressed data is damaged (${(error as Error).message}): fetch or pack the file anew`);
	}
}
