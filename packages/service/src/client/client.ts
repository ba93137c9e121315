import type { Chunk } from '@wayleave/extract';
import type { Fields } from '@wayleave/extract/fields';
import type { Evidence } from '@wayleave/protocols';
import type { AIDocument, FreshnessPolicy } from '@wayleave/protocols/aidocument';
import { readLines } from './lines.ts';

export interface ClientOptions {
	/** The service, such as `https://index.example`. */
	readonly url: string;
	/** An API key; none where the service is open. */
	readonly key?: string;
	/** Replaces the global one. */
	readonly fetch?: typeof fetch;
}

/** How a document is wanted. */
export interface Wanted {
	/** Default `cache_first`. */
	readonly freshnessPolicy?: FreshnessPolicy;
	readonly signal?: AbortSignal;
}

/** How a result with chunks or fields is wanted. */
export interface WantedResult extends Wanted {
	/** Cuts the document at its headings into chunks of at most so many tokens (64 to 1,000,000). Default: none. */
	readonly chunks?: { readonly tokens: number };
	/** A JSON Schema to be filled from the page. Default: none. */
	readonly fields?: Readonly<Record<string, unknown>>;
}

/** The body of a failure (RFC 9457). */
export interface ProblemDetails {
	readonly type: string;
	readonly title: string;
	readonly status: number;
	/** Stable, for programs: `robots-disallow`, `http-404`, `rate-exceeded`. */
	readonly code: string;
	readonly detail?: string;
	readonly outcome?: string;
	readonly url?: string;
	/** The lines of the site's policy files that decided. */
	readonly evidence?: readonly Evidence[];
	/** Seconds. */
	readonly retry_after?: number;
}

/** Why there is no document. */
export class ServiceProblem extends Error {
	readonly problem: ProblemDetails;

	constructor(problem: ProblemDetails) {
		super(problem.detail === undefined ? problem.title : `${problem.title}: ${problem.detail}`);
		this.name = 'ServiceProblem';
		this.problem = problem;
	}

	get code(): string {
		return this.problem.code;
	}
}

/** A document, and the obligations that its site sets. */
export interface DocumentResult {
	readonly url: string;
	readonly outcome: string;
	readonly reason?: string;
	readonly redirected_to?: string;
	readonly document: AIDocument;
	/** With `fields`. */
	readonly fields?: Fields;
	/** With `chunks`. */
	readonly chunks?: readonly Chunk[];
	readonly policy?: {
		readonly uses: Readonly<Record<string, string>>;
		readonly obligations?: Readonly<Record<string, unknown>>;
		readonly limits?: Readonly<Record<string, unknown>>;
		readonly because?: readonly Evidence[];
		/** Where the site refers to licence terms (RSL), which are not read. */
		readonly licences?: readonly Evidence[];
	};
}

/** One page of a batch: a document, or the reason for its absence. */
export type BatchLine = { readonly index: number; readonly url: string } & (
	| (DocumentResult & { readonly problem?: undefined })
	| { readonly problem: ProblemDetails; readonly document?: undefined }
);

export interface Submission {
	readonly id: string;
	readonly url: string;
	readonly status: 'queued' | 'done' | 'failed';
	readonly status_url: string;
	readonly submitted_at: string;
	/** While it is queued: when its host may be requested again. */
	readonly retry_at?: string;
	readonly finished_at?: string;
	readonly outcome?: string;
	readonly reason?: string;
	readonly document_url?: string;
	readonly problem?: ProblemDetails;
}

/** Methods throw a ServiceProblem if there is no document, and network errors as `fetch` does. */
export interface Client {
	/** A document, from the store of the service or fetched. */
	document(url: string, wanted?: Wanted): Promise<AIDocument>;
	/** The same with the obligations that its site sets, and in chunks if `chunks` asks for them. */
	result(url: string, wanted?: WantedResult): Promise<DocumentResult>;
	markdown(url: string, wanted?: Wanted): Promise<string>;
	/** The SOM document of the page. */
	som(url: string, wanted?: Wanted): Promise<Record<string, unknown>>;
	/** The stored document, or undefined. */
	stored(url: string): Promise<AIDocument | undefined>;
	/** Many documents, each as soon as it is there. Leaving the loop ends what has not begun. */
	documents(urls: readonly string[], wanted?: WantedResult): AsyncGenerator<BatchLine>;
	/** Has a page fetched in the background. */
	submit(url: string, wanted?: Wanted): Promise<Submission>;
	submission(id: string): Promise<Submission>;
}

/**
 * A client of the AIWebIndex service.
 *
 * ```ts
 * const client = createClient({ url: 'http://127.0.0.1:8700' });
 * const { content } = await client.document('https://example.com/');
 * ```
 */
export function createClient({ url: base, key, fetch: send = fetch }: ClientOptions): Client {
	const root = base.replace(/\/+$/, '');

	async function call(path: string, accept: string, { body, signal }: { body?: unknown; signal?: AbortSignal } = {}) {
		const response = await send(root + path, {
			method: body === undefined ? 'GET' : 'POST',
			headers: {
				accept: `${accept}, application/problem+json;q=0.1`,
				...(key !== undefined && { authorization: `Bearer ${key}` }),
				...(body !== undefined && { 'content-type': 'application/json' }),
			},
			...(body !== undefined && { body: JSON.stringify(body) }),
			...(signal && { signal }),
		});
		if (!response.ok) throw new ServiceProblem(await problemOf(response));
		return response;
	}

	const fetched = (url: string, accept: string, { signal, ...wanted }: WantedResult = {}) =>
		call('/v1/aidocument', accept, {
			body: { url, ...bodyOf(wanted) },
			...(signal && { signal }),
		});

	return {
		document: async (url, wanted) => read(await fetched(url, 'application/json', wanted)),
		result: async (url, wanted) => read(await fetched(url, 'application/vnd.wayleave.result+json', wanted)),
		markdown: async (url, wanted) => (await fetched(url, 'text/markdown', wanted)).text(),
		som: async (url, wanted) => read(await fetched(url, 'application/som+json', wanted)),
		async stored(url) {
			try {
				return await read(await call(`/v1/document?url=${encodeURIComponent(url)}`, 'application/json'));
			} catch (error) {
				if (error instanceof ServiceProblem && error.code === 'not-cached') return undefined;
				throw error;
			}
		},
		async *documents(urls, { signal, ...wanted } = {}) {
			const body = { urls, ...bodyOf(wanted) };
			const response = await call('/v1/aidocuments', 'application/x-ndjson', { body, ...(signal && { signal }) });
			if (response.body === null) return;
			for await (const line of readLines(response.body)) yield JSON.parse(line) as BatchLine;
		},
		async submit(url, { freshnessPolicy, signal } = {}) {
			const body = { url, ...(freshnessPolicy && { freshness_policy: freshnessPolicy }) };
			return read(await call('/v1/submit', 'application/json', { body, ...(signal && { signal }) }));
		},
		submission: async (id) => read(await call(`/v1/submissions/${encodeURIComponent(id)}`, 'application/json')),
	};
}

const bodyOf = ({ freshnessPolicy, chunks, fields }: WantedResult) => ({
	...(freshnessPolicy && { freshness_policy: freshnessPolicy }),
	...(chunks && { chunk_tokens: chunks.tokens }),
	...(fields && { fields }),
});

const read = async <Value>(response: Response): Promise<Value> => (await response.json()) as Value;

/** A proxy in front of the service can respond in another format. */
async function problemOf(response: Response): Promise<ProblemDetails> {
	const text = await response.text();
	if (/^application\/problem\+json\b/.test(response.headers.get('content-type') ?? '')) return JSON.parse(text);
	const { status, statusText } = response;
	return { type: 'about:blank', title: statusText || `HTTP ${status}`, status, code: `http-${status}` };
}
