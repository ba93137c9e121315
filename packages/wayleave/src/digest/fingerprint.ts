import { decodeHtml, extract } from '@wayleave/extract';
import { sha256 } from '@wayleave/io';
import { digestOf } from '@wayleave/protocols/pagedigest';

/**
 * What the revision of a served file follows (pagedigest §3.2.1): of HTML the content and the metadata that say what
 * it is, so that analytics, tokens and build times leave it as it was; of anything else the bytes.
 */
export function fingerprintOf(bytes: Uint8Array, url: string, isHtml: boolean): string {
	if (!isHtml) return digestOf(bytes, sha256);
	const { text: html } = decodeHtml(bytes);
	const { title, description, language, canonicalUrl, markdown, structuredData, page } = extract(html, url);
	const { charset: _, problems: __, ...facts } = page;
	const content = {
		title,
		description,
		language,
		canonicalUrl,
		markdown,
		structuredData,
		facts,
		meta: socialTags(html),
	};
	return digestOf(new TextEncoder().encode(JSON.stringify(content)), sha256);
}

/** The meta tags by which others show the page: description, Open Graph, Twitter. */
function socialTags(html: string): string[] {
	const tags = html.match(/<meta\s[^<>]*>/gi) ?? [];
	const shown = /\b(?:name|property)\s*=\s*["']?(?:description|(?:og|twitter|article):)/i;
	return tags.filter((tag) => shown.test(tag)).map((tag) => tag.split(/\s+/).join(' '));
}
