type Child = Node | string | number | undefined | false;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Makes an element. Text is text: whatever agents write into their names and paths is never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
	name: Name,
	attributes: Attributes,
	...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
	const made = document.createElement(name);
	fill(made, attributes, children);
	return made;
}

/** The same for drawings. */
export function drawing(name: string, attributes: Attributes, ...children: readonly Child[]): SVGElement {
	const made = document.createElementNS('http://www.w3.org/2000/svg', name);
	fill(made, attributes, children);
	return made;
}

function fill(made: Element, attributes: Attributes, children: readonly Child[]): void {
	for (const [key, value] of Object.entries(attributes)) {
		if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : String(value));
	}
	for (const child of children)
		if (child !== undefined && child !== false) made.append(child instanceof Node ? child : String(child));
}

/** The element with an id that stands in the page. */
export function byId(id: string): HTMLElement {
	const found = document.getElementById(id);
	if (found === null) throw new Error(`the page has no #${id}`);
	return found;
}

/** What is said where there is nothing to show. */
export function nothing(text: string): HTMLElement {
	return element('p', { class: 'nothing' }, text);
}
