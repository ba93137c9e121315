import type { ReceivedHeaders } from '@wayleave/io/http';
import type { AIDocument } from '@wayleave/protocols/aidocument';
import { isFileKind, kindOfMediaType } from '@wayleave/protocols/file-types';
import { parseUrl } from '@wayleave/protocols/url';
import type { Result } from '../../model/result.ts';
import type { FileSource } from '../../read/convert-file.ts';
import type { PageSource } from '../../read/read-page.ts';
import { alternateLinks } from '../../response/alternate-links.ts';
import { kindOfContent, kindOfFile, statedType } from '../../response/classify.ts';
import { contentOf, parseArchivedResponse } from './http-response.ts';
import type { WarcProblem } from './problems.ts';
import { readWarc } from './read-warc.ts';
import type { WarcRecord } from './warc-item.ts';

/** A page of an archive, ready to be read, with what is known of it beside. */
export interface ArchivedPage {
	readonly offset: number;
	readonly source: Omit<PageSource, 'economics'> | Omit<FileSource, 'economics'>;
	/** All of the result but what is made of the content. */
	readonly result: Omit<Result, 'document' | 'page'>;
}

export type ArchivedItem =
	| { readonly page: ArchivedPage }
	| { readonly problem: WarcProblem }
	/** A record that is no page, or none with content: pictures, redirects, revisits, policy files. */
	| { readonly passedOver: string };

/** An outcome record of ours, about the page before it. */
interface RecordedResult extends Omit<Result, 'document' | 'page'> {
	readonly wayleave: 1;
	readonly source?: AIDocument['source'];
	readonly cache?: AIDocument['cache'];
}

/**
 * The pages in a web archive: answers and resources that make documents (PDF and office files too), and the text of `conversion` records. Of an
 * archive of a crawl of ours, those that were documents there, with the terms and the times that they had.
 */
export async function* archivedPages(source: AsyncIterable<Uint8Array>): AsyncGenerator<ArchivedItem> {
	// Our own outcome stands behind the page that it is of.
	let before: WarcRecord | undefined;
	let ours = false;
	for await (const item of readWarc(source, { wants: mayMatter })) {
		if ('problem' in item) {
			yield item;
			continue;
		}
		const { record } = item;
		const recorded = record.type === 'metadata' ? readRecorded(record, before) : undefined;
		if (before !== undefined) yield recorded !== undefined || !ours ? await toPage(before, recorded) : passed(before);
		if (record.type === 'warcinfo') ours = /^software:[ \t]*wayleave\//im.test(Buffer.from(record.block).toString());
		before = isContent(record) ? record : undefined;
		if (record.type === 'revisit') yield passed(record);
	}
	if (before !== undefined) yield ours ? passed(before) : await toPage(before, undefined);
}

const passed = ({ type, fields }: WarcRecord): ArchivedItem => ({
	passedOver: `${type} ${fields.get('warc-target-uri') ?? ''}`,
});

const isContent = ({ type }: Pick<WarcRecord, 'type'>): boolean => /^(?:response|resource|conversion)$/.test(type);

/** Whether a record can be a page by its declared type; others are not loaded. */
function mayMatter(type: string, fields: WarcRecord['fields']): boolean {
	if (type === 'metadata') return fields.get('content-type') === 'application/json';
	if (type === 'warcinfo' || type === 'revisit') return true;
	const identified = fields.get('warc-identified-payload-type');
	return (
		isContent({ type }) &&
		(identified === undefined ||
			/^text\/|html|xml|^application\/(?:zip|octet-stream)$/i.test(identified) ||
			kindOfMediaType(identified) !== undefined)
	);
}

function readRecorded(record: WarcRecord, before: WarcRecord | undefined): RecordedResult | undefined {
	const of = record.fields.get('warc-concurrent-to');
	if (before === undefined || of !== before.fields.get('warc-record-id')) return undefined;
	try {
		const recorded = JSON.parse(Buffer.from(record.block).toString()) as RecordedResult;
		return recorded.wayleave === 1 ? recorded : undefined;
	} catch {
		return undefined;
	}
}

const isOwnForm = (kind: string): boolean => /^(?:html|text|markdown)$/.test(kind) || isFileKind(kind);

async function toPage(record: WarcRecord, recorded: RecordedResult | undefined): Promise<ArchivedItem> {
	// Some archives have it as it stood in the page, with blanks and all.
	const url = parseUrl((record.fields.get('warc-target-uri') ?? '').replace(/^<(.*)>$/, '$1'))?.href;
	const isPage = url !== undefined && /^https?:\/\//.test(url) && !/\/robots2?\.txt$/.test(url);
	// A page that was read by a representation has no document of its own.
	const itself =
		recorded === undefined || (recorded.source !== undefined && isOwnForm(recorded.representation?.kind ?? 'html'));
	if (!isPage || !itself) return passed(record);
	const found = await contentIn(record);
	if (found === undefined) return passed(record);
	if (typeof found === 'string') {
		const problem = { code: 'warc-unreadable-payload', offset: record.offset, detail: `${url}: ${found}` } as const;
		return { problem };
	}
	const { content, status, contentType, contentLanguage, headers } = found;
	const kind =
		record.type === 'conversion' ? 'text' : (kindOfContent(contentType, content) ?? kindOfFile(contentType, content));
	if (kind === undefined || content.length === 0) return passed(record);
	const at = dateOf(record);
	const fetched = fetchedAs(url, at, status, recorded);
	const result =
		recorded === undefined
			? ({ url, outcome: 'fetched', depth: 0, at, ...(status && { status }) } as const)
			: resultOf(recorded);
	const alternates = headers && alternateLinks(headers, url, isFileKind(kind));
	const source = { body: content, contentType, contentLanguage, fetched, ...(alternates?.length && { alternates }) };
	const read = isFileKind(kind) ? { ...source, kind } : { ...source, kind };
	return { page: { offset: record.offset, source: read, result } };
}

interface Found {
	readonly content: Uint8Array;
	readonly status: number | undefined;
	readonly contentType: string | undefined;
	readonly contentLanguage: string | undefined;
	/** Those of the response; other records have none. */
	readonly headers?: ReceivedHeaders;
}

/** The content of a page's record; undefined for other records; a text with the reason if it cannot be read. */
async function contentIn(record: WarcRecord): Promise<Found | string | undefined> {
	const contentType = record.fields.get('content-type');
	if (record.type !== 'response')
		return { content: record.block, status: undefined, contentType, contentLanguage: undefined };
	if (!/^application\/http\b/i.test(contentType ?? '')) return undefined;
	const response = parseArchivedResponse(record);
	if (response === undefined) return 'no HTTP response';
	if (response.status !== 200 && response.status !== 203) return undefined;
	const content = await contentOf(response);
	if (typeof content === 'string') return content;
	const { headers, status } = response;
	return {
		content,
		status,
		contentType: statedType(headers),
		contentLanguage: headers.get('content-language'),
		headers,
	};
}

function dateOf({ fields }: WarcRecord): string {
	const date = new Date(fields.get('warc-date') ?? Number.NaN);
	return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}

/** A foreign archive is a snapshot: what it holds was fetched then, and nothing is fetched now. */
function fetchedAs(
	url: string,
	at: string,
	status: number | undefined,
	recorded: RecordedResult | undefined,
): PageSource['fetched'] {
	const { source, cache } = recorded ?? {};
	if (source === undefined || cache === undefined) {
		const hit = { status: 'hit', origin_contacted: false, body_fetched: false } as const;
		return {
			url,
			fetchedAt: at,
			...(status && { statusCode: status, renderMode: 'static' as const }),
			freshnessPolicy: 'cache_first',
			cache: hit,
		};
	}
	return {
		url: source.url,
		freshnessPolicy: source.freshness_policy,
		cache,
		...(source.fetched_at !== undefined && { fetchedAt: source.fetched_at }),
		...(source.status_code !== undefined && { statusCode: source.status_code }),
		// The archive has the page as it was sent.
		renderMode: source.render_mode === 'static_after_render_failure' ? source.render_mode : 'static',
	};
}

function resultOf({ wayleave: _, source: __, cache: ___, ...result }: RecordedResult): ArchivedPage['result'] {
	return result;
}
