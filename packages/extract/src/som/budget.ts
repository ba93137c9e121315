import { truncate } from './text.ts';
import type { SomBudget, SomElement, SomRegion } from './types.ts';

/** The defaults of SOM-SPEC §8.1; §4.3 allows larger tables. */
export const defaultBudget: Readonly<SomBudget> = {
	textMax: 200,
	firstParagraphMax: 200,
	laterParagraphMax: 80,
	maxParagraphs: 10,
	maxListItems: 5,
	maxLinks: 200,
	maxNavigationLinks: 80,
	maxElements: 400,
	maxCellChars: 80,
	maxTableRows: 20,
	maxTableColumns: 8,
};

/** Keeps everything. */
export const noBudget: Readonly<SomBudget> = Object.fromEntries(
	Object.keys(defaultBudget).map((key) => [key, Number.POSITIVE_INFINITY]),
) as unknown as SomBudget;

/** Elements that stay whatever the budget says (§8.2, rule 3). */
const always: ReadonlySet<string> = new Set([
	'text_input',
	'textarea',
	'select',
	'checkbox',
	'radio',
	'button',
	'heading',
]);

/** Elements that a budget removed. */
export interface Dropped {
	duplicateLinks: number;
	links: number;
	paragraphs: number;
	elements: number;
	chars: number;
}

/** Applies the limits to a region, in place, and returns what was dropped. `main` regions cut paragraphs harder. */
export function applyBudget(region: SomRegion, budget: SomBudget, isMain: boolean): Dropped {
	const dropped: Dropped = { duplicateLinks: 0, links: 0, paragraphs: 0, elements: 0, chars: 0 };
	const linkLimit = region.role === 'navigation' ? budget.maxNavigationLinks : budget.maxLinks;
	const seen = new Set<string>();
	const kept: SomElement[] = [];
	let links = 0;
	let paragraphs = 0;
	const drop = (element: SomElement, kind: 'duplicateLinks' | 'links' | 'paragraphs' | 'elements') => {
		dropped[kind]++;
		dropped.chars += (element.text ?? element.label ?? '').length;
	};
	for (const element of region.elements) {
		if (element.role === 'link') {
			const key = linkKey(element.attrs?.href);
			if (key !== undefined && seen.has(key) && budget.maxLinks !== Number.POSITIVE_INFINITY) {
				drop(element, 'duplicateLinks');
				continue;
			}
			if (key !== undefined) seen.add(key);
			if (links >= linkLimit) {
				drop(element, 'links');
				continue;
			}
		}
		if (element.role === 'paragraph' && paragraphs >= budget.maxParagraphs) {
			drop(element, 'paragraphs');
			continue;
		}
		if (kept.length >= budget.maxElements && !always.has(element.role)) {
			drop(element, 'elements');
			continue;
		}
		if (element.role === 'link') links++;
		if (element.role === 'paragraph') {
			if (isMain && element.text !== undefined) {
				const limit = paragraphs === 0 ? budget.firstParagraphMax : budget.laterParagraphMax;
				const short = truncate(element.text, limit);
				dropped.chars += element.text.length - short.length;
				element.text = short;
			}
			paragraphs++;
		}
		kept.push(element);
	}
	region.elements = kept;
	return dropped;
}

/** `[2 duplicate links, 5 more paragraphs, ~900 chars]`, or undefined when no element was dropped. */
export function summaryText(dropped: Dropped): string | undefined {
	const parts = [
		[dropped.duplicateLinks, 'duplicate links'],
		[dropped.links, 'more links'],
		[dropped.paragraphs, 'more paragraphs'],
		[dropped.elements, 'more elements dropped'],
	]
		.filter(([count]) => (count as number) > 0)
		.map(([count, noun]) => `${count} ${noun}`);
	return parts.length === 0 ? undefined : `[${[...parts, `~${dropped.chars} chars`].join(', ')}]`;
}

/** Links to one place are one link: without fragment and trailing slash, in lower case (§8.2, rule 1). */
function linkKey(href: unknown): string | undefined {
	if (typeof href !== 'string') return undefined;
	return href.replace(/#.*$/s, '').replace(/\/+$/, '').toLowerCase();
}
