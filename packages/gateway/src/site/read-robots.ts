import { isUtf8 } from 'node:buffer';
import { decodeContent } from '@wayleave/io/http';
import { parseRobots, type RobotsFile } from '@wayleave/protocols/robots';
import { parseUrl } from '@wayleave/protocols/url';
import type { OriginFetch } from '../respond/origin-pages.ts';
import { readUpTo } from '../respond/read-body.ts';

/** The site's own robots.txt. */
export type SiteRobots =
	/** `text`: UTF-8 text, or bytes of an older encoding, of which `mergeRobots` escapes what is not ASCII. */
	| {
			readonly state: 'found';
			readonly text: string | Uint8Array;
			readonly groups: number;
			readonly rules: number;
			readonly remarks: readonly string[];
	  }
	/** It has none: 404, 410, or another 4xx (RFC 9309 §2.3.1.3). */
	| {
			readonly state: 'absent';
			readonly why: string;
			/** The site sends something else with status 200: a web page, JSON. */
			readonly replaced?: true;
	  }
	/** Its content is unknown: complete disallow (RFC 9309 §2.3.1.4). */
	| { readonly state: 'unreadable'; readonly why: string };

/** One response to `GET /robots.txt`, its body as it was sent. */
export interface RobotsResponse {
	readonly status: number;
	readonly body: Uint8Array;
	header(name: string): string | undefined;
	/** The content codings have been undone already. */
	readonly decoded?: boolean;
}

export interface ReadRobotsOptions {
	/** Milliseconds for all redirects together. Default 5000. */
	readonly timeout?: number;
	/** Other origins under which the site itself answers: the address of the upstream. */
	readonly aliases?: readonly string[];
	/**
	 * Gets a robots.txt to which the site redirects on another host (RFC 9309 §2.3.1.2). Rejects with the reason.
	 * Default: such a redirect makes the file unreadable.
	 */
	readonly elsewhere?: (url: string, signal: AbortSignal) => Promise<RobotsResponse>;
}

/** RFC 9309 §2.3.1.2. */
const maxRedirects = 5;
/** RFC 9309 §2.5 asks readers for 500 KiB. */
const maxText = 512_000;
/** Largest body that is read, compressed or not: a file can be longer than its parsed part. */
const maxBody = 4_000_000;

/** Reads the site's own robots.txt. Never rejects: every failure is a state with its reason. */
export async function readSiteRobots(
	fetchOrigin: OriginFetch,
	origin: string,
	options: ReadRobotsOptions = {},
): Promise<SiteRobots> {
	const signal = AbortSignal.timeout(options.timeout ?? 5000);
	try {
		return await unlessAborted(followRobots(fetchOrigin, origin, options, signal), signal);
	} catch (error) {
		return { state: 'unreadable', why: signal.aborted ? 'timeout' : reasonOf(error) };
	}
}

async function followRobots(
	fetchOrigin: OriginFetch,
	origin: string,
	{ aliases = [], elsewhere }: ReadRobotsOptions,
	signal: AbortSignal,
): Promise<SiteRobots> {
	const hosts = new Set([origin, ...aliases].map((each) => new URL(each).host));
	let url = new URL('/robots.txt', origin);
	for (let hops = 0; hops <= maxRedirects; hops++) {
		const own = hosts.has(url.host);
		if (!own && elsewhere === undefined) {
			return { state: 'unreadable', why: `it redirects to another host, ${url.host}` };
		}
		const response =
			own || elsewhere === undefined
				? await ask(fetchOrigin, origin, url.pathname + url.search, signal)
				: await elsewhere(url.href, signal);
		if (![301, 302, 303, 307, 308].includes(response.status)) {
			const found = await interpret(response);
			if (found.state !== 'found' || hops === 0) return found;
			return { ...found, remarks: [...found.remarks, `it redirects to ${own ? url.pathname : url.href}`] };
		}
		const location = response.header('location');
		const target = location === undefined ? undefined : parseUrl(location, url.href);
		if (target === undefined || !/^https?:$/.test(target.protocol)) {
			return { state: 'unreadable', why: `status ${response.status} without a usable Location` };
		}
		url = new URL(target.href);
	}
	return { state: 'unreadable', why: `more than ${maxRedirects} redirects` };
}

/** One request as a crawler would make it; the forwarded fields keep a site that wants HTTPS from redirecting to itself. */
async function ask(
	fetchOrigin: OriginFetch,
	origin: string,
	target: string,
	signal: AbortSignal,
): Promise<RobotsResponse> {
	const { protocol, host } = new URL(origin);
	const headers = {
		accept: 'text/plain,*/*;q=0.5',
		'accept-encoding': 'identity',
		'user-agent': 'Wayleave-Gateway',
		'x-forwarded-proto': protocol.slice(0, -1),
		'x-forwarded-host': host,
	};
	const response = await fetchOrigin(new Request(origin + target, { headers, redirect: 'manual', signal }));
	return {
		status: response.status,
		header: (name) => response.headers.get(name) ?? undefined,
		body: (await readUpTo(response, maxBody, signal)).bytes,
	};
}

/** A response that is no redirect. Only a 4xx says that there is no file; 429 does not (RFC 9309 §2.3.1.3). */
async function interpret(response: RobotsResponse): Promise<SiteRobots> {
	const { status } = response;
	if (status >= 400 && status < 500 && status !== 429) return { state: 'absent', why: String(status) };
	if (status < 200 || status > 299 || status === 206) return { state: 'unreadable', why: String(status) };
	const coding = response.decoded ? undefined : response.header('content-encoding');
	const bytes = await undo(response.body, coding);
	return typeof bytes === 'string' ? { state: 'unreadable', why: bytes } : read(bytes, response.header('content-type'));
}

/** Undoes the content codings; a server may send a packed file without saying so, or say so of one that is not. */
async function undo(body: Uint8Array, coding: string | undefined): Promise<Uint8Array | string> {
	const isGzip = body[0] === 0x1f && body[1] === 0x8b;
	const codings = coding ?? (isGzip ? 'gzip' : 'identity');
	if (codings.trim().toLowerCase() === 'identity') return body;
	const decoded = await decodeContent(body, codings, maxBody);
	if (typeof decoded !== 'string') return decoded;
	// The `fetch` of a platform undoes the coding and leaves the field where it was.
	return isText(body) ? body : `content-encoding ${codings.slice(0, 40)}: ${decoded}`;
}

function read(bytes: Uint8Array, contentType: string | undefined): SiteRobots {
	const remarks: string[] = [];
	const decoded = decodeText(bytes, contentType);
	if (decoded.encoding !== undefined) remarks.push(`it is ${decoded.encoding} and is served as UTF-8`);
	const { content, cut } = wholeLines(decoded.content);
	if (cut) remarks.push('it is longer than 500 KiB; parsers ignore the rest');
	const file = parseRobots(content, { maxBytes: Number.POSITIVE_INFINITY }).value;
	const head = beginning(content);
	if (/^[\s\ufeff]*</.test(head)) return { state: 'absent', why: 'a web page', replaced: true };
	const hasRecords = file.groups.length > 0 || file.sitemaps.length > 0;
	const isPlain = /^text\/plain\b/i.test(contentType ?? '');
	if (!hasRecords && head !== '' && !isPlain)
		return { state: 'absent', why: 'it contains no robots.txt line', replaced: true };
	if (contentType !== undefined && !isPlain) remarks.push(`its Content-Type is ${contentType} instead of text/plain`);
	if (contentType === undefined && bytes.length > 0) remarks.push('it has no Content-Type; send text/plain');
	return { state: 'found', text: content, ...countRules(file), remarks };
}

function countRules({ groups }: RobotsFile): { groups: number; rules: number } {
	const rules = groups.reduce((sum, group) => sum + group.rules.filter(({ pattern }) => pattern !== '').length, 0);
	return { groups: groups.length, rules };
}

/** UTF-16 by its mark, by what the server says, or by the NUL in every second byte that text in UTF-16 has. */
function decodeText(
	bytes: Uint8Array,
	contentType: string | undefined,
): { content: string | Uint8Array; encoding?: string } {
	const [first, second] = bytes;
	const said = /charset\s*=\s*"?utf-16(le|be)?/i.exec(contentType ?? '');
	const nulAt = bytes.subarray(0, 200).indexOf(0);
	const wide = nulAt >= 0 && nulsOfEverySecond(bytes.subarray(0, 200), nulAt % 2);
	let encoding: 'utf-16le' | 'utf-16be' | undefined;
	if (first === 0xff && second === 0xfe) encoding = 'utf-16le';
	else if (first === 0xfe && second === 0xff) encoding = 'utf-16be';
	else if (wide) encoding = nulAt % 2 === 1 ? 'utf-16le' : 'utf-16be';
	else if (said !== null && nulAt >= 0) encoding = said[1]?.toLowerCase() === 'le' ? 'utf-16le' : 'utf-16be';
	if (encoding === undefined) return { content: isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : bytes };
	// UTF-32, read in halves, leaves a NUL beside each character.
	const content = new TextDecoder(encoding).decode(bytes).replaceAll('\0', '');
	return { content, encoding: encoding.toUpperCase() };
}

function nulsOfEverySecond(bytes: Uint8Array, from: number): boolean {
	let nuls = 0;
	for (let at = from; at < bytes.length; at += 2) if (bytes[at] === 0) nuls++;
	return nuls * 2 > bytes.length * 0.7;
}

/** A rule that is cut would forbid more, or allow more, than it says. */
function wholeLines(content: string | Uint8Array): { content: string | Uint8Array; cut: boolean } {
	const bytes = typeof content === 'string' ? Buffer.from(content) : content;
	if (bytes.length <= maxText) return { content, cut: false };
	const part = bytes.subarray(0, maxText);
	const whole = part.subarray(0, Math.max(part.lastIndexOf(0x0a), part.lastIndexOf(0x0d)) + 1);
	return { content: typeof content === 'string' ? Buffer.from(whole).toString('utf8') : whole, cut: true };
}

function beginning(content: string | Uint8Array): string {
	return typeof content === 'string'
		? content.slice(0, 1000)
		: Buffer.from(content.subarray(0, 1000)).toString('latin1');
}

function isText(bytes: Uint8Array): boolean {
	return isUtf8(bytes) && !bytes.includes(0);
}

/** Settles when the signal does, whatever the work goes on waiting for. */
async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
	return await new Promise<Value>((resolve, reject) => {
		signal.addEventListener('abort', () => reject(signal.reason), { once: true });
		work.then(resolve, reject);
	});
}

/** The code of the system where there is one: it is what operators look for. */
function reasonOf(error: unknown): string {
	const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
	if (code === 'ECONNREFUSED') return 'no server is listening';
	if (typeof code === 'string' && /^[A-Z][A-Z_0-9]+$/.test(code)) return code;
	if (cause instanceof Error) return reasonOf(cause);
	return typeof message === 'string' ? message.slice(0, 200) : String(error);
}

/** Describes the result in one line for the operator. */
export function describeSiteRobots(robots: SiteRobots): string {
	switch (robots.state) {
		case 'found': {
			const { groups, rules, remarks } = robots;
			const counts = `${groups} ${groups === 1 ? 'group' : 'groups'}, ${rules} ${rules === 1 ? 'rule' : 'rules'}`;
			return [counts, ...remarks].join('; ');
		}
		case 'absent':
			return `none (${robots.why})`;
		case 'unreadable':
			return `cannot be read (${robots.why})`;
	}
}
