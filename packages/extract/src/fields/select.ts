import type { Element } from '../dom/node.ts';
import { createElement } from '../dom/node.ts';
import { ClassLists, matches } from '../dom/selectors.ts';
import { visibleText } from '../metadata/visible-text.ts';
import type { Naming, Pick } from './nodes.ts';

/** Elements that are compared with selectors on one page, each sibling of one with a place among them counted. */
const maxSteps = 4_000_000;
const maxMatches = 1_000;

/** Finds elements by the selectors of a schema. */
export class ElementFinder {
	/** Elements compared so far. */
	steps = 0;
	/** The selector at which matching was given up. */
	givenUpAt: string | undefined;
	readonly #host: string;
	readonly #lists = new ClassLists();

	/** @param host of the page */
	constructor(host: string) {
		this.#host = host;
	}

	/** The alternatives for the host of the page, else those for all hosts. */
	picksFor({ selectors }: Naming): readonly Pick[] {
		return selectors.get(this.#host) ?? selectors.get(this.#host.replace(/^www\./, '')) ?? selectors.get('*') ?? [];
	}

	/**
	 * The elements inside of `scope` that a selector names, in the order of the page; undefined if the page is so large
	 * that matching was given up.
	 */
	find({ selectors, isPositional, written }: Pick, scope: Element): Element[] | undefined {
		if (selectors.length === 0) return [scope];
		const found: Element[] = [];
		const stack: Element[] = [scope];
		for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
			this.steps += isPositional ? (element.parent?.children.length ?? 1) : 1;
			if (this.steps > maxSteps) {
				this.givenUpAt ??= written;
				return undefined;
			}
			if (element !== scope && selectors.some((one) => matches(element, one, this.#lists))) found.push(element);
			if (found.length >= maxMatches) break;
			for (let index = element.children.length - 1; index >= 0; index--) {
				const child = element.children[index];
				if (child?.kind === 'element') stack.push(child);
			}
		}
		return found;
	}
}

const withoutOld: ReadonlySet<string> = new Set(['del', 's', 'strike']);

/** The attribute that is picked, else what a reader sees in the element, without what is struck out. */
export function pickedText(element: Element, { attribute }: Pick): string | undefined {
	if (attribute !== undefined) return element.attributes[attribute]?.trim();
	if (element.tag === 'meta') return element.attributes.content?.trim();
	return visibleText(withoutStruck(element));
}

/** A copy without struck parts; the element itself if there are none. */
function withoutStruck(element: Element): Element {
	if (
		!element.children.some(
			(child) => child.kind === 'element' && (withoutOld.has(child.tag) || child.children.length > 0),
		)
	)
		return element;
	const copy = createElement(element.tag, element.attributes);
	const stack: [Element, Element][] = [[element, copy]];
	for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
		const [from, to] = pair;
		to.children = from.children
			.filter((child) => child.kind === 'text' || !withoutOld.has(child.tag))
			.map((child) => {
				if (child.kind === 'text') return { kind: 'text', data: child.data, parent: to };
				const own = createElement(child.tag, child.attributes);
				own.parent = to;
				stack.push([child, own]);
				return own;
			});
	}
	return copy;
}
