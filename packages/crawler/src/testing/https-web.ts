import type { Fetcher, FetchResult, GetOptions } from '@wayleave/io/http';
import { ReceivedHeaders } from '@wayleave/io/http';

export interface WebPage {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string | Uint8Array;
	/** There is no answer. */
	readonly failure?: 'headers-timeout' | 'connect-failed';
}

export interface HttpsWeb {
	/** URLs that were asked for, in order. */
	readonly log: string[];
	readonly fetcher: Fetcher;
	/** Those below a URL, control files apart. */
	asked(prefix: string): string[];
}

/** A web of https and http without sockets: pages by URL; a string is HTML, what is missing is 404. */
export function httpsWeb(pages: Record<string, WebPage | string | ((options: GetOptions) => WebPage)>): HttpsWeb {
	const log: string[] = [];
	const fetcher: Fetcher = {
		async get(url, options = {}): Promise<FetchResult> {
			log.push(url);
			const entry = pages[url] ?? { status: 404 };
			const page = typeof entry === 'function' ? entry(options) : typeof entry === 'string' ? { body: entry } : entry;
			const { status = 200, headers = {}, body = '', failure } = page;
			const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
			if (failure !== undefined) return { ok: false, url, reason: failure, detail: failure };
			if (bytes.length > (options.maxBytes ?? Number.POSITIVE_INFINITY) && options.onLimit !== 'truncate')
				return { ok: false, url, reason: 'too-large', detail: 'too large' };
			return {
				ok: true,
				url,
				status,
				headers: new ReceivedHeaders(Object.entries({ 'Content-Type': 'text/html', ...headers })),
				body: bytes,
				truncated: false,
				wireBytes: bytes.length,
				httpVersion: '1.1',
				address: '203.0.113.1',
			};
		},
		async close() {},
	};
	const isControl = /\/(?:robots2?\.txt|\.well-known\/[\w.-]+)$/;
	return { log, fetcher, asked: (prefix) => log.filter((url) => url.startsWith(prefix) && !isControl.test(url)) };
}
