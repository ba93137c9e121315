import { chunkMarkdown } from './chunks/index.ts';
import { parseHtml } from './dom/parse.ts';
import { composeShadowTrees } from './dom/shadow.ts';
import { placeStreamedParts } from './dom/streamed.ts';
import { toMarkdown } from './markdown/index.ts';
import { readMetadata } from './metadata/index.ts';
import { declaredContent } from './select/declared.ts';
import { pageFeatures } from './select/features/page-features.ts';
import { hiddenParts } from './select/hidden-parts.ts';
import { classify, evidenceOf, typeProbabilities } from './select/model/classify.ts';
import { loadModel } from './select/model/model.ts';
import { segment } from './select/read/blocks.ts';
import { collectFacts } from './select/read/facts.ts';
import { select, toText } from './select/select.ts';
import type { Extraction, ExtractOptions } from './types.ts';

/**
 * Finds the main content of a page and what the page says about itself. One parse, a few passes over the tree, time
 * linear in the size of the page; odd HTML is no error.
 *
 * ```ts
 * const { markdown, page } = extract(html, 'https://example.com/post');
 * ```
 *
 * @param html the decoded page: see `decodeHtml`
 * @param url of the page: absolute, after redirects
 */
export function extract(html: string, url: string, options: ExtractOptions = {}): Extraction {
	const model = loadModel();
	// 1. Source to tree.
	const document = parseHtml(html);
	composeShadowTrees(document);
	placeStreamedParts(document);
	// 2. Tree to blocks of text and the boxes around them.
	const segments = segment(document.body, document.styles);
	// 3. What the page says about itself, and so its type.
	const facts = collectFacts(document, url);
	const features = pageFeatures(segments, facts);
	const types = typeProbabilities(segments, facts, model.types, features);
	const contentType = classify(facts, types, evidenceOf(segments, facts));
	// 4. Which blocks are the content.
	const seen = select(segments, facts, types, model, features, options.favor, contentType);
	const seenText = toText(seen);
	// 5. Title, dates, links and all that does not depend on the content.
	const { addresses, ...metadata } = readMetadata(document, url, {
		...options,
		contentType,
		mainText: () => seenText,
		starter: seen.starter,
	});
	// 6. Where scripts would draw the page, the content that its data declare.
	const selection = declaredContent(document, metadata.structuredData, seenText) ?? seen;
	const text = selection === seen ? seenText : toText(selection);
	const hidden = selection === seen ? hiddenParts(segments, seen.kept) : [];
	if (hidden.length > 0) metadata.page.hiddenParts = hidden;
	// 7. The content as Markdown.
	const markdown = toMarkdown(selection.roots, { addresses, skip: selection.skip, visuals: segments.visuals });
	// 8. The fields of a schema.
	const { fields } = options;
	if (fields !== undefined) metadata.page.fields = fields.read({ url, markdown, ...metadata, html: document });
	// 9. The Markdown in pieces of a token budget.
	const chunks = options.chunks && {
		chunks: chunkMarkdown(markdown, { language: metadata.language, ...options.chunks }),
	};
	return { url, ...(contentType !== undefined && { contentType }), markdown, text, ...metadata, ...chunks };
}
