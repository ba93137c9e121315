import { type Fetcher, type FetchResult, redirectTarget } from '@wayleave/io/http';
import { isSameOwner } from './domain.ts';
import type { Pace } from './pace.ts';
import { proofOf, provenToken } from './token.ts';

/** Why a file proves nothing. */
export const fileFaults = {
	'no-proof': 'the file does not contain the proof line',
	'http-status': 'the server does not serve the file',
	busy: 'the server asks to retry later',
	'fetch-failed': 'the server could not be reached',
	'not-https': 'a redirect leads to plain HTTP, which proves nothing',
	'other-port': 'a redirect leads to another port',
	'other-domain': 'a redirect leads to another domain, which proves nothing',
	'too-many-redirects': 'more than three redirects',
} as const;

export type FileFault = keyof typeof fileFaults;

/** Result of reading the well-known file of a domain, with its redirects. */
export interface FileCheck {
	readonly method: 'file';
	readonly verified: boolean;
	/** The token that was found. */
	readonly token?: string;
	/** The requests that were made. */
	readonly hops: readonly { readonly url: string; readonly status?: number }[];
	readonly fault?: FileFault;
	/** Details for people. */
	readonly detail?: string;
	/** With `busy`: seconds, where the server names a time. */
	readonly retryAfter?: string;
}

export interface CheckFileOptions {
	/** Sends the User-Agent of a verification. */
	readonly fetcher: Fetcher;
	/** Waits until a host may be asked: one request at a time, with the pause of the crawler between two. */
	readonly turn: Pace['turn'];
	/** HTTPS port of the domain; default 443. */
	readonly port?: number;
}

const path = '/.well-known/aiwebindex-verify.txt';
const maxRedirects = 3;
/** A line and a comment take a hundred bytes. */
const maxBytes = 64 << 10;

/** URL of the file of a domain (AIWebIndex §5.2). */
export const fileUrl = (domain: string, port?: number): string =>
	`https://${domain}${port === undefined ? '' : `:${port}`}${path}`;

/**
 * Reads the file over HTTPS. Up to three redirects are followed, each by HTTPS on the same port and within the
 * registrable domain (AIWebIndex §5.2).
 */
export async function checkFile(
	domain: string,
	tokens: readonly string[],
	options: CheckFileOptions,
): Promise<FileCheck> {
	const hops: FileCheck['hops'][number][] = [];
	let url = fileUrl(domain, options.port);
	for (;;) {
		const response = await get(url, options);
		hops.push({ url, ...(response?.status !== undefined && { status: response.status }) });
		const fail = (fault: FileFault, more: Partial<FileCheck> = {}): FileCheck => ({
			method: 'file',
			verified: false,
			hops,
			fault,
			...more,
		});
		if (response === undefined) return fail('busy', { detail: 'the server asked for a pause that has not ended yet' });
		if (!response.ok) return fail('fetch-failed', { detail: `${response.reason}: ${response.detail}` });
		const target = redirectTarget(response);
		if (target?.ok === false) return fail('http-status', { detail: target.detail });
		if (target === undefined) {
			if (response.status !== 200) return fail(...refusal(response));
			const token = provenToken(linesOf(response.body), tokens);
			return token === undefined ? fail('no-proof') : { method: 'file', verified: true, token, hops };
		}
		const fault = faultOf(target.url, domain, options.port);
		if (fault !== undefined) return fail(fault, { detail: target.url });
		if (hops.length > maxRedirects) return fail('too-many-redirects', { detail: target.url });
		url = target.url;
	}
}

/** Undefined where the host wants to be left alone. */
async function get(url: string, { fetcher, turn }: CheckFileOptions): Promise<FetchResult | undefined> {
	const end = await turn(new URL(url).hostname);
	if (end === undefined) return undefined;
	const response = await fetcher.get(url, {
		maxBytes: maxBytes,
		onLimit: 'truncate',
		headers: { accept: 'text/plain' },
	});
	const isBusy = response.ok && (response.status === 429 || response.status === 503);
	end(isBusy ? { retryAfter: response.headers.get('retry-after') } : undefined);
	return response;
}

function refusal(response: FetchResult & { ok: true }): [FileFault, Partial<FileCheck>] {
	const detail = `status ${response.status}`;
	if (response.status !== 429 && response.status !== 503) return ['http-status', { detail }];
	const retryAfter = response.headers.get('retry-after');
	return ['busy', { detail, ...(retryAfter && { retryAfter }) }];
}

function faultOf(target: string, domain: string, port: number | undefined): FileFault | undefined {
	const { protocol, hostname, port: own } = new URL(target);
	if (protocol !== 'https:') return 'not-https';
	if (own !== '' && own !== String(port)) return 'other-port';
	return isSameOwner(domain, hostname) ? undefined : 'other-domain';
}

const linesOf = (body: Uint8Array): string[] =>
	new TextDecoder()
		.decode(body)
		.replace(/^\ufeff/, '')
		.split(/\r\n|\n|\r/);

/** The record or file that the owner has to publish. */
export function fileInstruction(domain: string, token: string): { url: string; line: string } {
	return { url: fileUrl(domain), line: proofOf(token) };
}
