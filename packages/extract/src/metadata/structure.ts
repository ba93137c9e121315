import type { Heading, Image, Link } from '@wayleave/protocols/aidocument';
import { imageUrl } from '../markdown/image-url.ts';
import { type Collected, spaced, visibleText } from './collect.ts';
import { absoluteUrl, hostOf } from './urls.ts';

/** Headings in document order (AWI-35). Empty ones say nothing. */
export function headingsOf({ headings }: Collected): Heading[] {
	return headings.map(({ element, level, text }) => {
		const id = element.attributes.id?.trim();
		return { level, text, ...(id && { id }) };
	});
}

/** Every `a[href]` that resolves to http(s), in document order, duplicates kept (AMB-24). */
export function linksOf({ anchors }: Collected, base: string, pageUrl: string): Link[] {
	const host = hostOf(pageUrl);
	return anchors.flatMap((element) => {
		const url = absoluteUrl(element.attributes.href, base);
		if (url === undefined) return [];
		const text = visibleText(element);
		const rel = spaced(element.attributes.rel ?? '');
		return [{ url, ...(text !== '' && { text }), internal: hostOf(url) === host, ...(rel !== '' && { rel }) }];
	});
}

/** Images by the address that a reader would see. The copy that `<noscript>` holds of a lazy one is not a second. */
export function imagesOf({ images }: Collected, base: string): Image[] {
	const found: Image[] = [];
	for (const { element, noscript } of images) {
		const url = absoluteUrl(imageUrl(element), base);
		if (url === undefined || (noscript && found.at(-1)?.url === url)) continue;
		const alt = spaced(element.attributes.alt ?? '');
		found.push({ url, ...(alt !== '' && { alt }) });
	}
	return found;
}
