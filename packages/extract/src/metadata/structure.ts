import type { Heading, Image, Link } from '@wayleave/protocols/aidocument';
import type { Addresses } from '../addresses.ts';
import { relBit } from '../dom/attribute-bits.ts';
import { imageUrl } from '../markdown/image-url.ts';
import type { Collected } from './collect.ts';
import { hostOf } from './urls.ts';
import { spaced, visibleText } from './visible-text.ts';

/** Headings in document order (AWI-35). Empty ones say nothing. */
export function headingsOf({ headings }: Collected): Heading[] {
	return headings.map(({ element, level, text }) => {
		const id = element.attributes.id?.trim();
		return { level, text, ...(id && { id }) };
	});
}

/** Every `a[href]` that resolves to http(s), in document order, duplicates kept. */
export function linksOf({ anchors }: Collected, addresses: Addresses, pageUrl: string): Link[] {
	const own = hostOf(pageUrl);
	const links: Link[] = [];
	for (const element of anchors) {
		const { attributes, attributeBits } = element;
		const { href } = attributes;
		const address = addresses.resolve(href);
		if (!address?.isWeb) continue;
		const { url, host } = address;
		const text = visibleText(element);
		const internal = host === own;
		const link: Link = text === '' ? { url, internal } : { url, text, internal };
		const rel = attributeBits & relBit ? spaced(attributes.rel ?? '') : '';
		if (rel !== '') link.rel = rel;
		links.push(link);
	}
	return links;
}

/** Addresses that the page leads to outside the links of its text: a document lists only links. */
export function furtherOf({ further }: Collected, addresses: Addresses): string[] {
	return further.flatMap(({ attributes: { href, src } }) => addresses.absolute(href ?? src) ?? []);
}

/** Images by the address that a reader would see. The copy that `<noscript>` holds of a lazy one is not a second. */
export function imagesOf({ images }: Collected, addresses: Addresses): Image[] {
	const found: Image[] = [];
	for (const { element, noscript } of images) {
		const url = addresses.absolute(imageUrl(element));
		if (url === undefined || (noscript && found.at(-1)?.url === url)) continue;
		const alt = spaced(element.attributes.alt ?? '');
		found.push({ url, ...(alt !== '' && { alt }) });
	}
	return found;
}
