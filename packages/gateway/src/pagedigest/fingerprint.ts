import { createHash } from 'node:crypto';
import type { Extraction } from '@wayleave/extract';

/**
 * The text that decides the revision of a page (pagedigest §3.2.1): its main content and its metadata. Analytics,
 * tokens, build stamps and the navigation around the content are no part of it, nor are statements about when it
 * changed: a build that only renews the dates changes no revision.
 *
 * @param html the page without what we ourselves put into it
 */
export function fingerprintOf(extraction: Extraction, html: string): string {
	if (extraction.text === '') return hash(html);
	const { title, description, language, canonicalUrl, markdown, structuredData, page } = extraction;
	// Dates that are found in the text around the content may be those of the build; declared ones stand in `meta`.
	// The address follows from the canonical link, `meta` and where the page is.
	const { charset: _, problems: __, modified: ___, published: ____, address: _____, ...facts } = page;
	const content = {
		title,
		description,
		language,
		canonicalUrl,
		markdown,
		structuredData,
		facts,
		meta: shownTags(html),
	};
	return hash(JSON.stringify(content, withoutDates).replace(cacheBuster, '$1'));
}

/** A query behind the name of a picture or a script only makes caches look again. */
const cacheBuster = /(\.(?:avif|css|gif|ico|jpe?g|js|mp4|png|svg|webm|webp))\?[\w.=&%-]+/gi;

function withoutDates(name: string, value: unknown): unknown {
	return name === 'dateModified' || name === 'sdDatePublished' ? undefined : value;
}

/** Tags by which other sites show the page: `<title>`, description, Open Graph, Twitter. */
function shownTags(html: string): string[] {
	const tags = html.match(/<meta\s[^<>]*>/gi) ?? [];
	// Descriptions and social previews are shown to readers; modification times change without the content.
	const shown = /\b(?:name|property)\s*=\s*["']?(?:description|(?:og|twitter|article):(?!modified_time|updated_time))/i;
	const title = html.match(/<title[^<>]*>([^<]*)/i)?.[0] ?? '';
	return [title, ...tags.filter((tag) => shown.test(tag))].map((tag) => tag.split(/\s+/).join(' '));
}

function hash(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}
