import { kindOfMediaType } from '@wayleave/protocols/file-types';
import type { Addresses } from '../addresses.ts';
import type { Alternate } from '../types.ts';
import type { Collected } from './collect.ts';
import { relsOf } from './page.ts';

/** Media types of files that hold a text, neither feeds nor data, beside those that are read. */
const otherFileType =
	/^application\/(?:rtf|msword|postscript|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-(?:word|excel|powerpoint))[\w.+-]*)$/i;

/** Whether a media type is that of a PDF, an office file or an e-book. Parameters are ignored. */
export const isFileType = (type: string | undefined): boolean =>
	type !== undefined &&
	(kindOfMediaType(type.trim()) !== undefined || otherFileType.test(type.replace(/;.*/s, '').trim()));

/** Meta tags by which publishers and repositories name the file of a landing page, with its media type. */
const fileMetas = [
	['citation_pdf_url', 'application/pdf'],
	['bepress_citation_pdf_url', 'application/pdf'],
	['eprints.document_url', undefined],
] as const;

/** The rest of a longer list is left out. */
export const maxAlternates = 20;

/**
 * The files that have the content of this page: `<link>` and `<a>` with the relation `alternate` or `item` and the media
 * type of a file, and meta tags of publishers.
 */
export function alternatesOf(
	{ linkTags, anchors, metas }: Pick<Collected, 'linkTags' | 'anchors' | 'metas'>,
	addresses: Addresses,
): Alternate[] {
	const found = new Map<string, Alternate>();
	const add = (target: string | undefined, type: string | undefined) => {
		const url = addresses.absolute(target);
		if (url !== undefined && !found.has(url) && found.size < maxAlternates)
			found.set(url, { url, ...(type !== undefined && { type: type.trim() }) });
	};
	for (const [name, type] of fileMetas) for (const content of metas.get(name) ?? []) add(content, type);
	for (const link of [...linkTags, ...anchors]) {
		const { type, href } = link.attributes;
		if (isFileType(type) && relsOf(link).some((rel) => rel === 'alternate' || rel === 'item')) add(href, type);
	}
	return [...found.values()];
}
