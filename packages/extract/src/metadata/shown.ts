import type { Document, Element } from '../dom/node.ts';
import { isBlockTag } from '../markdown/block-tags.ts';
import { spaced } from './collect.ts';

/** A line of text as it is shown, and how many characters of text lie between it and the page's heading. */
export interface Line {
	readonly text: string;
	/** Negative before the heading. */
	readonly distance: number;
}

/** By-lines and dates stand this near to the heading, in characters of text. */
const BEFORE = 500;
const AFTER = 1500;
/** Longer lines are sentences. */
const MAX_LINE = 160;

/** Page parts whose dates and names are not this page's. */
const ELSEWHERE =
	/(?:^|[\s_-])(?:comments?|disqus|respond|related|recommended|recommendations|sidebar|trending|popular|copyright|upcoming)(?=$|[\s_-])/i;

/** The elements that hold the page's heading: what they are called, the page itself is in them. */
export function ancestorsOf(heading: Element | undefined): ReadonlySet<Element> {
	const home = new Set<Element>();
	for (let at = heading ?? null; at !== null; at = at.parent) home.add(at);
	return home;
}

/** Whether an element stands in a part of the page that is about something else. */
export function isElsewhere(element: Element, home: ReadonlySet<Element>): boolean {
	for (
		let at: Element | null = element, level = 0;
		at !== null && !home.has(at) && level < 12;
		at = at.parent, level++
	) {
		if (at.tag === 'body') return false;
		if (at.tag === 'nav' || (at.tag === 'footer' && !isPartOfArticle(at))) return true;
		if (ELSEWHERE.test(`${at.attributes.class ?? ''} ${at.attributes.id ?? ''}`)) return true;
	}
	return false;
}

/** The footer of an article is about the article, that of the page is not. */
function isPartOfArticle(footer: Element): boolean {
	for (let at = footer.parent; at !== null; at = at.parent) if (at.tag === 'article' || at.tag === 'main') return true;
	return false;
}

/** The short lines around `heading`, nearest first; those below before those above at the same distance.
 * `reach` is how far below the heading they may stand, in characters of text. */
export function linesAround({ body }: Document, heading: Element | undefined, reach = AFTER): Line[] {
	const lines: { text: string; at: number; element: Element }[] = [];
	let total = 0;
	let start: number | undefined = heading === undefined ? 0 : undefined;
	let text = '';
	const end = (element: Element): void => {
		const line = spaced(text);
		text = '';
		if (line === '') return;
		if (line.length <= MAX_LINE) lines.push({ text: line, at: total, element });
		total += line.length;
	};
	const read = (element: Element): boolean => {
		if (element === heading) {
			end(element);
			start = total;
		}
		const block = isBlockTag(element.tag) || element.tag === 'br';
		if (block) end(element);
		for (const child of element.children) {
			if (start !== undefined && total - start > reach) return false;
			if (child.kind === 'text') text += child.data;
			else if (!SKIPPED.test(child.tag) && !read(child)) return false;
		}
		if (block || text.length > 2000) end(element);
		return true;
	};
	read(body);
	const origin = start ?? 0;
	const home = ancestorsOf(heading);
	return lines
		.filter(({ at, element }) => at >= origin - Math.max(BEFORE, reach - AFTER) && !isElsewhere(element, home))
		.map(({ text: line, at }) => ({ text: line, distance: at - origin }))
		.toSorted(
			(a, b) => Math.abs(a.distance) * (a.distance < 0 ? 3 : 1) - Math.abs(b.distance) * (b.distance < 0 ? 3 : 1),
		);
}

const SKIPPED = /^(?:script|style|svg|template|select|textarea|noscript|button|nav)$/;
