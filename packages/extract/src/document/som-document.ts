import { present } from '@wayleave/protocols';
import type { AIDocument } from '@wayleave/protocols/aidocument';
import { mergeStructuredData } from '../metadata/json-ld.ts';
import { languageTag } from '../metadata/language.ts';
import { absoluteUrl, hostOf } from '../metadata/urls.ts';
import { type SomDocument, type SomElement, type SomStructuredData, somToMarkdown } from '../som/index.ts';
import type { Extraction, Page } from '../types.ts';
import { sanitizeSom } from './sanitize-som.ts';
import { type DocumentTools, type Fetched, toAIDocument } from './to-aidocument.ts';

/** How a representation was come by: what cannot be claimed of the page is not there to be said. */
export type SomFetched = Pick<Fetched, 'url' | 'fetchedAt' | 'freshnessPolicy' | 'cache'>;

/**
 * Makes an AIDocument of a SOM document. `source.url` is the page; `render_mode`, `status_code` and `economics` are
 * left out, since nothing of the page itself was fetched.
 */
export function somToDocument(som: SomDocument, fetched: SomFetched, tools: Pick<DocumentTools, 'sha256'>): AIDocument {
	const { url, fetchedAt, freshnessPolicy, cache } = fetched;
	const known = { url, freshnessPolicy, cache, ...(fetchedAt !== undefined && { fetchedAt }) };
	return toAIDocument(somToExtraction(som, url), known, { sha256: tools.sha256 });
}

/**
 * The content of a SOM document in the form of `extract`. The document is untrusted:
 * its text is data, its addresses are resolved and kept only where they are http(s) (SOM-35).
 *
 * @param url of the page, absolute
 */
export function somToExtraction(source: SomDocument, url: string): Extraction {
	const som = sanitizeSom(source, url);
	const data = som.structured_data ?? {};
	const description = data.meta?.description ?? data.open_graph?.['og:description'];
	const language = languageOf(som);
	const canonicalUrl = absoluteUrl(data.links?.find(({ rel }) => rel.toLowerCase() === 'canonical')?.href, url);
	const structuredData = mergeStructuredData({ items: (data.json_ld ?? []).flatMap(nodesOf) });
	const markdown = somToMarkdown(som).trim();
	return {
		url,
		...(som.title.trim() !== '' && { title: som.title.trim() }),
		...(description !== undefined && description.trim() !== '' && { description: description.trim() }),
		...present({ language, canonicalUrl }),
		markdown,
		text: markdown,
		...partsOf(som, url),
		...(structuredData !== undefined && { structuredData }),
		hasJsonLd: (data.json_ld?.length ?? 0) > 0,
		page: pageOf(som.title.trim(), data, url),
	};
}

function partsOf(som: SomDocument, url: string): Pick<Extraction, 'headings' | 'links' | 'images'> {
	const parts: Pick<Extraction, 'headings' | 'links' | 'images'> = { headings: [], links: [], images: [] };
	const host = hostOf(url);
	const visit = (elements: readonly SomElement[]) => {
		for (const { role, text = '', label = '', html_id: id, attrs = {}, shadow } of elements) {
			const name = text || label;
			if (role === 'heading' && name !== '')
				parts.headings.push({ level: attrs.level ?? 2, text: name, ...(id !== undefined && { id }) });
			if (role === 'link' && attrs.href !== undefined)
				parts.links.push({ url: attrs.href, ...(name && { text: name }), internal: hostOf(attrs.href) === host });
			const alt = attrs.alt ?? label;
			if (role === 'image' && attrs.src !== undefined) parts.images.push({ url: attrs.src, ...(alt && { alt }) });
			if (shadow !== undefined) visit(shadow.elements);
		}
	};
	for (const { elements } of som.regions) visit(elements);
	return parts;
}

/** A block is one node or a graph of them. */
function nodesOf(block: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
	const graph = block['@graph'];
	if (!Array.isArray(graph)) return [{ ...block }];
	return graph.filter((node) => typeof node === 'object' && node !== null && !Array.isArray(node));
}

/** SOM writes `en` where it knows nothing: alone it says nothing. */
function languageOf({ lang, structured_data: data }: SomDocument): string | undefined {
	const declared = languageTag(lang);
	if (declared !== 'en') return declared;
	const others = [data?.open_graph?.['og:locale'], ...(data?.json_ld ?? []).map(({ inLanguage }) => inLanguage)];
	const confirms = (other: unknown) => typeof other === 'string' && /^en(?:$|[-_])/i.test(languageTag(other) ?? '');
	return others.some(confirms) ? declared : undefined;
}

function pageOf(title: string, { meta, links = [] }: SomStructuredData, url: string): Page {
	const related = links.flatMap(({ rel, href }) => {
		const target = absoluteUrl(href, url);
		return target === undefined ? [] : [{ rel, url: target }];
	});
	return {
		...(title !== '' && { title }),
		...(meta?.robots !== undefined && { robots: [{ name: 'robots', content: meta.robots }] }),
		...(related.length > 0 && { links: related }),
	};
}
