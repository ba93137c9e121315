import type { Element } from '../dom/node.ts';
import { textContent, walk } from '../dom/walk.ts';
import { normalise } from './text.ts';

const labelled: ReadonlySet<string> = new Set(['input', 'select', 'textarea', 'button', 'meter', 'output', 'progress']);

/** Finds accessible names (SOM-SPEC §4.5); it knows every `id` and every `label` of the page. */
export interface Names {
	/** The label of an element, or undefined. */
	labelOf(element: Element): string | undefined;
	/** `aria-describedby` or `aria-description`. */
	descriptionOf(element: Element): string | undefined;
	/** Whether a `<label>` names a control that will carry its text. */
	namesControl(label: Element): boolean;
}

export function readNames(body: Element): Names {
	const byId = new Map<string, Element>();
	const labelFor = new Map<string, Element>();
	walk(body, (node) => {
		if (node.kind !== 'element') return false;
		const { id } = node.attributes;
		if (id !== undefined && !byId.has(id)) byId.set(id, node);
		const target = node.tag === 'label' ? node.attributes.for : undefined;
		if (target !== undefined && !labelFor.has(target)) labelFor.set(target, node);
		return true;
	});
	const referenced = (ids: string | undefined) => {
		if (ids === undefined) return undefined;
		const texts = ids.split(/\s+/).map((id) => {
			const element = byId.get(id);
			return element === undefined ? '' : normalise(textContent(element));
		});
		return filled(texts.filter(Boolean).join(' '));
	};
	const labelText = (element: Element) => {
		if (!labelled.has(element.tag)) return undefined;
		const label = labelFor.get(element.attributes.id ?? '') ?? wrappingLabel(element);
		return label === undefined ? undefined : filled(ownText(label));
	};
	return {
		labelOf(element) {
			const { attributes } = element;
			const external = labelText(element);
			return (
				referenced(attributes['aria-labelledby']) ??
				filled(attributes['aria-label']) ??
				(external !== undefined && !repeatsType(element, external) ? external : undefined) ??
				filled(attributes.title) ??
				filled(attributes.placeholder) ??
				external
			);
		},
		descriptionOf: (element) =>
			referenced(element.attributes['aria-describedby']) ?? filled(element.attributes['aria-description']),
		namesControl(label) {
			const target = label.attributes.for;
			if (target !== undefined) return byId.has(target);
			let found = false;
			walk(label, (node) => {
				if (node.kind === 'element' && labelled.has(node.tag)) found = true;
				return !found;
			});
			return found;
		},
	};
}

/** "Email" on an email field says no more than its type does: a placeholder, if there is one, says more. */
function repeatsType(element: Element, label: string): boolean {
	return element.tag === 'input' && element.attributes.type?.toLowerCase() === label.toLowerCase();
}

function wrappingLabel(element: Element): Element | undefined {
	for (let parent = element.parent; parent !== null; parent = parent.parent) {
		if (parent.tag === 'label') return parent;
		if (parent.tag === 'form' || parent.tag === 'body') return undefined;
	}
	return undefined;
}

/** The text of a label without that of the controls in it (a wrapped select would bring all its options). */
function ownText(label: Element): string {
	let text = '';
	walk(label, (node) => {
		if (node.kind === 'text') text += node.data;
		return node.kind === 'text' || !labelled.has(node.tag);
	});
	return normalise(text);
}

function filled(text: string | undefined): string | undefined {
	if (text === undefined) return undefined;
	const plain = normalise(text);
	return plain === '' ? undefined : plain;
}
