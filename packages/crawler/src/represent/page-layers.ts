import { decodeHtml } from '@wayleave/extract';
import type { FetchSuccess } from '@wayleave/io/http';
import {
	parseSomLink,
	parseSomMeta,
	parseSomSchemaOrg,
	type SomDeclarations,
	type SomMetaTag,
} from '@wayleave/protocols/som';
import { Parser } from 'htmlparser2';

/** Announcements of representations in the headers, meta tags and JSON-LD of a fetched page (§5). */
export function pageLayers(
	{ headers, body }: FetchSuccess,
	url: string,
): { readonly declarations: SomDeclarations; readonly meta: readonly SomMetaTag[] } {
	const link = parseSomLink(headers.getAll('link').join(', '), url).value;
	const { meta, blocks } = readMarkup(decodeHtml(body, headers.get('content-type')).text);
	const declarations = { link, meta: parseSomMeta(meta).value, 'schema-org': parseSomSchemaOrg(blocks, url).value };
	return { declarations, meta };
}

function readMarkup(html: string): { meta: SomMetaTag[]; blocks: unknown[] } {
	const meta: SomMetaTag[] = [];
	const blocks: unknown[] = [];
	let json: string[] | undefined;
	const parser = new Parser({
		onopentag(tag, { name, content, type }) {
			if (tag === 'meta' && name !== undefined && content !== undefined) meta.push({ name, content });
			if (tag === 'script' && /^\s*application\/ld\+json\b/i.test(type ?? '')) json = [];
		},
		ontext(text) {
			json?.push(text);
		},
		onclosetag(tag) {
			if (tag !== 'script' || json === undefined) return;
			blocks.push(...parsed(json.join('')));
			json = undefined;
		},
	});
	parser.end(html);
	return { meta, blocks };
}

/** A block that is no JSON announces nothing. */
function parsed(text: string): unknown[] {
	try {
		return [JSON.parse(text)];
	} catch {
		return [];
	}
}
