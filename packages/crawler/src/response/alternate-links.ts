import { type Alternate, isFileType } from '@wayleave/extract';
import type { ReceivedHeaders } from '@wayleave/io/http';
import { parseLinkHeader } from '@wayleave/protocols/headers';
import { parseUrl } from '@wayleave/protocols/url';

/**
 * The other forms that a response names in `Link` headers (RFC 8288), as absolute addresses without fragments. A page
 * names its files as `alternate` or `item`; a file names its page as `canonical` (RFC 6596), `alternate` or `collection`
 * (RFC 6573).
 */
export function alternateLinks(headers: ReceivedHeaders, base: string, isFile: boolean): Alternate[] {
	const relations = isFile ? ['canonical', 'alternate', 'collection'] : ['alternate', 'item'];
	return headers.getAll('link').flatMap((header) =>
		parseLinkHeader(header).flatMap(({ target, rel, params }) => {
			const type = params.get('type');
			const fits = isFile
				? type === undefined || /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type)
				: isFileType(type);
			if (!fits || params.has('anchor') || !rel.some((relation) => relations.includes(relation))) return [];
			const url = parseUrl(target, base);
			if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return [];
			url.hash = '';
			return [{ url: url.href, ...(type !== undefined && { type }) }];
		}),
	);
}
