import type { FetchSuccess } from '@wayleave/io/http';
import {
	type FileKind,
	fileTypeNames,
	isFileKind,
	kindOfMediaType,
	mayBeCompound,
} from '@wayleave/protocols/file-types';
import type { Ending, Reason } from '../model/outcome.ts';
import { kindOfArchive } from './kind-of-archive.ts';

/** Failures that may be over at the next try. */
const passing: ReadonlySet<Reason> = new Set([
	'dns-failed',
	'proxy-failed',
	'connect-failed',
	'connect-timeout',
	'headers-timeout',
	'body-timeout',
	'total-timeout',
	'too-slow',
	'connection-reset',
	'truncated',
	'http-408',
	'http-425',
	'http-500',
	'http-502',
	'http-504',
	// Cloudflare's statuses for an origin server without a response.
	'http-520',
	'http-521',
	'http-522',
	'http-523',
	'http-524',
]);

/** Whether another try may end better. */
export function mayPass({ outcome, reason }: Ending): boolean {
	return reason === 'rate-limited' || (outcome === 'failed' && reason !== undefined && passing.has(reason));
}

/** Failures of the host rather than of one page. */
export const hostFailures: ReadonlySet<Reason> = new Set([
	'dns-not-found',
	'dns-failed',
	'proxy-failed',
	'no-contact',
	'connect-failed',
	'connect-timeout',
	'tls-failed',
]);

/** Outcome of a status; undefined for one with content, and for 304 and redirects. */
export function endingOfStatus({ status }: FetchSuccess): Ending | undefined {
	if (status === 200 || status === 203) return undefined;
	const reason: Reason = `http-${status}`;
	switch (status) {
		case 204:
		case 205:
			return { outcome: 'failed', reason: 'no-content' };
		case 404:
		case 410:
			return { outcome: 'gone', reason };
		// A refusal is final: no credentials, no other name, no way around (AIWebIndex 2.0 §7).
		case 401:
		case 402:
		case 403:
		case 407:
		case 451:
			return { outcome: 'refused', reason };
		case 429:
		case 503:
			return { outcome: 'deferred', reason: 'rate-limited', detail: String(status) };
		default:
			return { outcome: 'failed', reason };
	}
}

export type ContentKind = 'html' | 'text' | 'markdown';

/** Whether the optional package reads a source, and not the reader of pages. */
export const isFileSource = <Source extends { readonly kind: string }>(
	source: Source,
): source is Extract<Source, { readonly kind: FileKind }> => isFileKind(source.kind);

const otherFiles: readonly (readonly [RegExp, string])[] = [
	[/^application\/vnd\.oasis\.opendocument\./, 'Other OpenDocument'],
	[/^application\/(?:vnd\.ms-powerpoint|mspowerpoint)/, 'PPT'],
	[/^application\/(?:vnd\.ms-excel|excel)/, 'XLS'],
	[/^application\/msword$/, 'DOC'],
	[/^(?:application|text)\/rtf$/, 'RTF'],
];

/** Says which type cannot be read, and of files of people which can. */
export function describeUnread(contentType: string | undefined): string {
	if (contentType === undefined) return 'none stated';
	const type = mediaTypeOf(contentType);
	const [, name] = otherFiles.find(([pattern]) => pattern.test(type)) ?? [];
	return name === undefined ? contentType : `${contentType}: ${name} files are not read; HTML, ${fileTypeNames()} are`;
}

const mediaTypeOf = (contentType: string | undefined): string =>
	(contentType ?? '').replace(/[\s;].*/s, '').toLowerCase();

/** Types that say nothing, that some servers send for every unknown file, or that say only that there is an archive. */
const noType =
	/^(?:(?:application|binary)\/octet-stream|application\/(?:x-download|force-download|(?:x-)?zip(?:-compressed)?)|text\/plain|unknown\/unknown|\*\/\*)?$/;
/** Types of the formats before, under which servers send archives of today too. */
const formerType = /^application\/(?:msword|vnd\.ms-(?:excel|powerpoint))$/;

/**
 * The format of a file, if its content begins as the stated type says; where no type is stated, the content decides.
 */
export function kindOfFile(contentType: string | undefined, body: Uint8Array): FileKind | undefined {
	const type = mediaTypeOf(contentType);
	const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 1024)).toString('latin1');
	const stated = kindOfMediaType(type);
	const isFormer = formerType.test(type);
	if (stated === undefined && !isFormer && !noType.test(type)) return undefined;
	// Some bytes before the header are common, and readers accept them (ISO 32000-1, annex H.3.4.1).
	if (/%PDF-\d/.test(head)) return !isFormer && (stated ?? 'pdf') === 'pdf' ? 'pdf' : undefined;
	if (stated !== undefined && mayBeCompound(stated) && head.startsWith('\xd0\xcf\x11\xe0')) return stated;
	if (!head.startsWith('PK\x03\x04') || stated === 'pdf') return undefined;
	return stated ?? kindOfArchive(body);
}

/** The type that a response states: of several, in one line or in more, the last that is one (Fetch standard §3.7). */
export function statedType(headers: { getAll(name: string): string[] }): string | undefined {
	const stated = headers.getAll('content-type').flatMap((value) => value.split(','));
	return stated.findLast((type) => /^\s*[^\s/;]+\/[^\s/;]/.test(type))?.trim();
}

/** Only HTML, XHTML, text and Markdown make documents. */
export function kindOfContent(contentType: string | undefined, body: Uint8Array): ContentKind | undefined {
	const type = mediaTypeOf(contentType);
	const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 1024)).toString('latin1');
	if (looksBinary(head) || looksLikeData(head, contentType ?? '')) return undefined;
	const isHtml = looksLikeHtml(head);
	switch (type) {
		case 'text/html':
		case 'application/xhtml+xml':
			return 'html';
		case 'text/markdown':
		case 'text/x-markdown':
			return 'markdown';
		case 'text/plain':
			return isHtml ? 'html' : 'text';
		case 'application/xml':
		case 'text/xml':
			return isHtml ? 'html' : undefined;
		// Nothing said, or nothing that means anything: the content decides.
		case '':
		case 'application/octet-stream':
		case 'application/x-unknown':
		case 'unknown/unknown':
		case '*/*':
			return isHtml ? 'html' : looksLikeText(body) ? 'text' : undefined;
		default:
			return undefined;
	}
}

/** The signatures of what is most often sent under a wrong name. */
function looksBinary(head: string): boolean {
	return /^(?:%PDF-|PK\x03\x04|\x89PNG|GIF8|\xff\xd8\xff|RIFF|\x1f\x8b|\x7fELF|Rar!|OggS|ID3|wOF[2F])/.test(head);
}

/** Pages have a stray NUL now and then; with further bytes that text does not have, it is not text, unless UTF-16. */
function looksLikeData(head: string, contentType: string): boolean {
	if (!head.includes('\0') || /^(?:\xff\xfe|\xfe\xff|\0?<)/.test(head)) return false;
	return /[\x01-\x08\x0e-\x1a]/.test(head) && !/charset\s*=\s*["']?utf-?(?:16|32)/i.test(contentType);
}

/** The patterns of the MIME Sniffing Standard §7.1 that are of HTML, after white space, comments and a byte order mark. */
export function looksLikeHtml(head: string): boolean {
	const start = head.replace(/^(?:\xef\xbb\xbf)?(?:\s|<!--[\s\S]*?-->|<\?xml[^>]*>)*/, '');
	// The tags of the MIME sniffing standard (§7.1), and some that real pages start with.
	return /^<(?:!doctype\s+html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|article|main|section)\b/i.test(
		start,
	);
}

/** No byte that text does not have (MIME Sniffing Standard §3, "binary data byte"), beyond a few of UTF-16. */
function looksLikeText(body: Uint8Array): boolean {
	const utf16 = (body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff);
	return (
		utf16 ||
		body
			.subarray(0, 1024)
			.every((byte) => byte > 0x1a || byte === 0x1b || (byte >= 0x09 && byte !== 0x0b && byte <= 0x0d))
	);
}

/** Whether nothing was learned of the page: it could not be asked, or gave no response of its own. */
export const isPutOff = (ending: Ending): boolean =>
	ending.outcome === 'deferred' ||
	mayPass(ending) ||
	(ending.outcome === 'failed' && ending.reason !== undefined && hostFailures.has(ending.reason));

/**
 * Whether after such an ending the document of before is no longer what the page says, or no longer ours to give.
 *
 * @param redirectedTo where the address has led instead, whether or not anything could be had there
 */
export const supersedesCopy = (ending: Ending, redirectedTo?: string): boolean =>
	redirectedTo !== undefined ||
	ending.reason === 'redirected' ||
	(ending.outcome !== 'fetched' && ending.outcome !== 'unchanged' && !isPutOff(ending));
