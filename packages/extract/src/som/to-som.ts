import type { Document, Element } from '../dom/node.ts';
import { parseHtml } from '../dom/parse.ts';
import { textContent } from '../dom/walk.ts';
import { defaultBudget, noBudget } from './budget.ts';
import { compileRegions, type Part } from './compile.ts';
import { createIds } from './ids.ts';
import { readStructuredData } from './structured.ts';
import { normalise } from './text.ts';
import type { SomBudget, SomDocument, SomElement, SomRegion } from './types.ts';

const encoder = new TextEncoder();

export interface CompileOptions {
	/** Hashes bytes; element ids are made of it. */
	sha256: (bytes: Uint8Array) => Uint8Array;
	/** Departures from the limits of §8.1, or `none` to keep everything. */
	budget?: Partial<SomBudget> | 'none';
	/** Only this part of the page, as one `main` region and without structured data. */
	part?: Part;
	/** Elements to leave out wherever they stand. */
	skip?: (element: Element) => boolean;
	/** Length of the source in bytes, where the caller knows it. */
	htmlBytes?: number;
}

/** Compiles a parsed page. */
export function compileSom(document: Document, html: string, url: string, options: CompileOptions): SomDocument {
	const budget = options.budget === 'none' ? noBudget : { ...defaultBudget, ...options.budget };
	const regions = compileRegions(document, createIds(url, options.sha256), budget, options);
	const structured = options.part === undefined ? readStructuredData(document) : undefined;
	const som: SomDocument = {
		som_version: '0.1',
		url,
		title: titleOf(document),
		lang: document.html.attributes.lang?.trim() || 'en',
		regions,
		meta: {
			html_bytes: options.htmlBytes ?? encoder.encode(html).length,
			som_bytes: 0,
			element_count: 0,
			interactive_count: 0,
		},
		...(structured === undefined ? {} : { structured_data: structured }),
	};
	count(som);
	return som;
}

/** Compiles HTML to SOM (SOM-SPEC 1.0): the whole page, with its regions. */
export function htmlToSom(html: string, url: string, options: CompileOptions): SomDocument {
	return compileSom(parseHtml(html), html, url, options);
}

/** Makes the counts of `meta` true; call it after any change of the regions. */
export function count(som: SomDocument): void {
	let elements = 0;
	let interactive = 0;
	const visit = (list: readonly SomElement[]) => {
		for (const element of list) {
			elements++;
			if (element.actions !== undefined) interactive++;
			if (element.shadow !== undefined) visit(element.shadow.elements);
		}
	};
	for (const region of som.regions as SomRegion[]) visit(region.elements);
	som.meta.element_count = elements;
	som.meta.interactive_count = interactive;
	som.meta.som_bytes = 0;
	// One digit stands for the number already; the rest is as long as the number itself.
	const rest = encoder.encode(JSON.stringify(som)).length - 1;
	let total = rest + 1;
	while (rest + String(total).length !== total) total = rest + String(total).length;
	som.meta.som_bytes = total;
}

function titleOf(document: Document): string {
	for (const child of document.head.children) {
		if (child.kind === 'element' && child.tag === 'title') return normalise(textContent(child));
	}
	return '';
}
