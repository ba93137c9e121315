// Pages with ground truth, read as `extract` reads them, and the text that a selection of their blocks gives.
import { parseHtml } from '../src/dom/parse.ts';
import { composeShadowTrees } from '../src/dom/shadow.ts';
import { placeStreamedParts } from '../src/dom/streamed.ts';
import { readMetadata } from '../src/metadata/index.ts';
import { declaredContent } from '../src/select/declared.ts';
import { pageFeatures } from '../src/select/features/page-features.ts';
import { classify, evidenceOf } from '../src/select/model/classify.ts';
import { type Segments, segment } from '../src/select/read/blocks.ts';
import { collectFacts, type Facts } from '../src/select/read/facts.ts';
import type { Flags } from '../src/select/read/flags.ts';
import type { Trial } from '../src/select/rules/rules.ts';
import { chooseBlocks } from '../src/select/select.ts';
import { label } from './align.ts';
import { nameShares, type Shares, wordShares } from './lexicons.ts';
import { loadPages, loadQuoted, siteOf, type TruthPage } from './pages.ts';

/** A page of which the type is known. */
export interface TypedPage {
	readonly page: TruthPage;
	readonly site: string;
	readonly segments: Segments;
	readonly facts: Facts;
	/** See `pageFeatures`. */
	readonly features: readonly number[];
}

/** A page of which the content is known. */
export interface Sample extends TypedPage {
	/** Of each block the share that is content. */
	readonly labels: Float64Array;
	readonly names: Shares;
	readonly words: Shares;
	/** The text that the page declares, by the text that is visible. */
	declared(visible: string): string | undefined;
}

/** What models that did not see a page make of it. */
export interface Judged {
	readonly types: readonly number[];
	readonly probabilities: ArrayLike<number>;
}

export const loadSamples = (): Sample[] => loadQuoted().map(prepare);
/** All pages of the mixed set: their types are known even where another extractor drafted the text. */
export const loadTypedPages = (): TypedPage[] => loadPages('mixed').map((page) => read(page, page.html()));

function read(page: TruthPage, html: string): TypedPage {
	const document = parseHtml(html);
	composeShadowTrees(document);
	placeStreamedParts(document);
	const segments = segment(document.body, document.styles);
	const facts = collectFacts(document, page.url);
	return { page, site: siteOf(page), segments, facts, features: pageFeatures(segments, facts) };
}

function prepare(page: TruthPage): Sample {
	const html = page.html();
	const typed = read(page, html);
	const { segments } = typed;
	const labels = label(segments.blocks, page.text);
	return {
		...typed,
		labels,
		names: nameShares(segments, labels),
		words: wordShares(segments, labels),
		declared: (visible) => {
			const document = parseHtml(html);
			const { structuredData } = readMetadata(document, page.url, { mainText: () => visible });
			return declaredContent(document, structuredData, visible)
				?.kept.map(({ text }) => text)
				.join('\n');
		},
	};
}

/** Which blocks of a page are kept, by what models make of it: all that `extract` does after these. */
export function keptOf({ segments, facts }: Sample, { types, probabilities }: Judged, trial?: Trial): Flags {
	const contentType = classify(facts, types, evidenceOf(segments, facts));
	return chooseBlocks({ segments, facts, types, contentType, ...(trial && { trial }) }, () =>
		Float64Array.from(probabilities),
	);
}

/** The text that these blocks give. */
export function textOf({ segments, declared }: Sample, kept: Flags): string {
	const text = segments.blocks
		.filter((_, i) => kept[i])
		.map((block) => block.text)
		.join('\n');
	return text.length < mostPoor ? (declared(text) ?? text) : text;
}

/** Longer texts are not poor: see `declaredContent`. */
const mostPoor = 400;
