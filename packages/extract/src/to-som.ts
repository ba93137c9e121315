import { present } from '@wayleave/protocols';
import type { Document, Element } from './dom/node.ts';
import { parseHtml } from './dom/parse.ts';
import { composeShadowTrees } from './dom/shadow.ts';
import { pageFeatures } from './select/features/page-features.ts';
import { typeProbabilities } from './select/model/classify.ts';
import { loadModel } from './select/model/model.ts';
import { segment } from './select/read/blocks.ts';
import { collectFacts } from './select/read/facts.ts';
import { select } from './select/select.ts';
import { isByline, isComments } from './som/comments.ts';
import type { Part } from './som/compile.ts';
import { type FitReport, fitSom } from './som/fit.ts';
import { type CompileOptions, compileSom } from './som/to-som.ts';
import type { SomDocument, SomScope } from './som/types.ts';

export interface ToSomOptions {
	/** Hashes bytes; element ids are made of it. */
	sha256: (bytes: Uint8Array) => Uint8Array;
	/** Default `full-page`. `article-body` is the main content without links and controls. */
	scope?: SomScope;
	/** Departures from the limits of SOM-SPEC §8.1, or `none` to keep everything. */
	budget?: CompileOptions['budget'];
	/** Tokens that what is written may have; needs `countTokens`. */
	tokenBudget?: number;
	countTokens?: (text: string) => number;
	/** How the document is going to be written, for the budget. Default: as compact JSON. */
	write?: (som: SomDocument) => string;
	/** Whether comments and reviews of readers are included. Default true. */
	userContent?: boolean;
	/** Length of the source in bytes, where the caller knows it. */
	htmlBytes?: number;
}

export interface CompiledSom {
	som: SomDocument;
	/** Elements removed for the token budget; absent without one. */
	fit?: FitReport;
}

/**
 * Compiles a page to SOM, in one of the scopes of the SOM directives (§4.2.3).
 *
 * ```ts
 * const { som } = toSom(html, 'https://example.com/post', { scope: 'main-content', sha256 });
 * ```
 *
 * @param html the decoded page
 * @param url of the page: absolute, after redirects
 */
export function toSom(html: string, url: string, options: ToSomOptions): CompiledSom {
	const document = parseHtml(html);
	composeShadowTrees(document);
	const { scope = 'full-page', userContent = true, sha256, budget, htmlBytes } = options;
	const part = scope === 'full-page' ? undefined : mainContent(document, url, scope === 'article-body');
	const skip = scope === 'article-body' ? isBesideBody : userContent ? undefined : isComments;
	const som = compileSom(document, html, url, {
		sha256,
		...present({ budget, htmlBytes, part, skip }),
	});
	if (options.tokenBudget === undefined) return { som };
	if (options.countTokens === undefined) throw new TypeError('a token budget needs countTokens');
	return { som, fit: fitSom(som, options.tokenBudget, options.countTokens, options.write) };
}

function isBesideBody(element: Element): boolean {
	return isByline(element) || isComments(element);
}

/** The part of the page that `extract` takes for the content. */
function mainContent(document: Document, url: string, textOnly: boolean): Part {
	const model = loadModel();
	const segments = segment(document.body, document.styles);
	const facts = collectFacts(document, url);
	const features = pageFeatures(segments, facts);
	const types = typeProbabilities(segments, facts, model.types, features);
	const { roots, skip } = select(segments, facts, types, model, features);
	return { roots, skip, textOnly };
}
