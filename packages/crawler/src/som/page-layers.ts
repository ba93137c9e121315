import { decodeHtml } from '@wayleave/extract';
import type { FetchSuccess } from '@wayleave/io';
import {
	parseSomLink,
	parseSomMeta,
	parseSomSchemaOrg,
	type SomDeclarations,
	type SomMetaTag,
	somSchemaType,
} from '@wayleave/protocols/som';
import { Parser } from 'htmlparser2';

/** What a page that was fetched says of its representations, in its header, its meta tags and its JSON-LD (§5). */
export function pageLayers(answer: FetchSuccess, url: string): SomDeclarations {
	const link = parseSomLink(answer.headers.getAll('link').join(', '), url).value;
	const bytes = Buffer.from(answer.body.buffer, answer.body.byteOffset, answer.body.length);
	const ascii = bytes.toString('latin1');
	if (!/som-endpoint|som-format|som-scope/i.test(ascii) && !ascii.includes(somSchemaType)) return { link };
	const { meta, blocks } = readMarkup(decodeHtml(answer.body, answer.headers.get('content-type')).text);
	return { link, meta: parseSomMeta(meta).value, 'schema-org': parseSomSchemaOrg(blocks, url).value };
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
