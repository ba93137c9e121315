import { type Extraction, parseSom, type SomDocument, somToExtraction, toAIDocument } from '@wayleave/extract';
import { countTokens } from '@wayleave/extract/tokens';
import { sha256 } from '@wayleave/io/hash';
import type { SomFormat } from '@wayleave/protocols/som';
import { parseUrl } from '@wayleave/protocols/url';
import type { Representation } from '../model/representation.ts';
import type { PageReading } from '../read/read-page.ts';
import { looksLikeHtml } from '../response/classify.ts';
import { readText } from '../response/read-text.ts';
import { isTree, treeToMarkdown } from './accessibility-tree.ts';
import { inertMarkdown } from './inert-markdown.ts';

export type RepresentationReading =
	| (PageReading & { readonly kind: Representation['kind']; readonly tokens: number; readonly fault?: undefined })
	/** Why it is not one, for people. */
	| { readonly fault: string };

interface Wanted {
	/** Of the page. */
	readonly url: string;
	readonly format: SomFormat;
	readonly contentType: string | undefined;
	readonly fetched: Parameters<typeof toAIDocument>[1];
}

/** Reads a response by what it is, not by what it is called. All of it is a stranger's text (SOM-35). */
export function readRepresentation(body: Uint8Array, wanted: Wanted): RepresentationReading {
	try {
		return read(body, wanted);
	} catch (error) {
		return { fault: `the response cannot be parsed: ${(error as Error).message}` };
	}
}

function read(body: Uint8Array, wanted: Wanted): RepresentationReading {
	const text = new TextDecoder().decode(body);
	if (text.trim() === '') return { fault: 'the response is empty' };
	if (looksLikeHtml(text.slice(0, 1024))) return { fault: 'the response is HTML' };
	const found = text.trimStart().startsWith('{') ? readJson(text, wanted) : readMarkdown(text, wanted);
	if ('fault' in found) return found;
	const { extraction, kind } = found;
	return {
		kind,
		document: toAIDocument(extraction, wanted.fetched, { sha256 }),
		page: extraction.page,
		links: [...extraction.links.map(({ url }) => url), ...(extraction.canonicalUrl ? [extraction.canonicalUrl] : [])],
		tokens: countTokens(text),
	};
}

/** Nesting limit, so that the document can be written as JSON again. */
const deepest = 500;

function nestsDeeper(json: string, most: number): boolean {
	let depth = 0;
	let inText = false;
	for (let at = 0; at < json.length; at++) {
		const character = json[at];
		if (character === '"') inText = !inText;
		else if (inText && character === '\\') at++;
		else if (!inText && (character === '{' || character === '[')) {
			if (++depth > most) return true;
		} else if (!inText && (character === '}' || character === ']')) depth--;
	}
	return false;
}

type Found = { readonly extraction: Extraction; readonly kind: Representation['kind'] } | { readonly fault: string };

function readJson(text: string, { url }: Wanted): Found {
	if (nestsDeeper(text, deepest)) return { fault: `the response nests deeper than ${deepest} levels` };
	let data: unknown;
	try {
		data = JSON.parse(text);
	} catch {
		// Its message would quote the response, which may be none that is kept.
		return { fault: 'the response is not JSON' };
	}
	if (isTree(data)) {
		return { kind: 'accessibility-tree', extraction: readText(treeToMarkdown(data, url), url, 'markdown') };
	}
	const { value, problems } = parseSom(data);
	if (value === undefined) return { fault: `the response is not a SOM document: ${problems[0]?.code}` };
	if (!isOf(value, url)) return { fault: `the document describes another page: ${value.url.slice(0, 200)}` };
	return { kind: 'som', extraction: somToExtraction(value, url) };
}

function readMarkdown(text: string, { url, format, contentType }: Wanted): Found {
	if (format !== 'markdown' && !/^text\/(?:x-)?markdown\b/i.test(contentType ?? ''))
		return { fault: 'the response is not a SOM document' };
	return { kind: 'markdown', extraction: readText(inertMarkdown(text), url, 'markdown') };
}

/**
 * The crawler ignores a document of another page, signed or not; http, https and a final slash make no difference.
 */
function isOf({ url }: SomDocument, page: string): boolean {
	return parseUrl(url) !== undefined && addressOf(url) === addressOf(page);
}

function addressOf(url: string): string {
	const { protocol, host, pathname, search } = new URL(url);
	return /^https?:$/.test(protocol) ? `${host}${pathname.replace(/\/$/, '')}${search}` : url;
}
