import { DOMParser } from '@xmldom/xmldom';

/** The properties of a run that decide whether Word shows its text; undefined: inherited (ECMA-376 part 1 §17.7.2). */
export interface RunProperties {
	readonly hidden?: boolean;
	/** Half points. */
	readonly size?: number;
	readonly white?: boolean;
	/** A colour behind the text. */
	readonly shaded?: boolean;
}

export interface Styles {
	/** Properties that a style has, with those that it inherits; of no style, those of the document. */
	of(id: string | undefined): RunProperties;
	/** The style of paragraphs that name none. */
	readonly paragraph: string | undefined;
	/** Whether a style of tables puts a colour behind any of its cells. */
	isShaded(id: string): boolean;
}

/** Styles that are based on another one, at most. */
const maxChain = 40;

export const parseXml = (xml: string): Document =>
	new DOMParser({ errorHandler: () => {} }).parseFromString(xml, 'text/xml');

export function readStyles(xml: string): Styles {
	const styles = new Map<string, Element>();
	let paragraph: string | undefined;
	let defaults: RunProperties = {};
	if (xml !== '') {
		const document = parseXml(xml);
		for (const style of Array.from(document.getElementsByTagName('w:style'))) {
			const id = style.getAttribute('w:styleId') ?? '';
			styles.set(id, style);
			if (style.getAttribute('w:type') === 'paragraph' && isOn(style.getAttribute('w:default') || '0')) paragraph = id;
		}
		const [given] = Array.from(document.getElementsByTagName('w:rPrDefault'));
		defaults = propertiesOf(childOf(given, 'w:rPr'));
	}
	const chainOf = (id: string): Element[] => {
		const chain: Element[] = [];
		let style = styles.get(id);
		while (style !== undefined && chain.length < maxChain && !chain.includes(style)) {
			chain.push(style);
			style = styles.get(valueIn(childOf(style, 'w:basedOn')) ?? '');
		}
		return chain;
	};
	const known = new Map<string, RunProperties>();
	return {
		of(id) {
			if (id === undefined) return defaults;
			const found =
				known.get(id) ??
				merged(
					chainOf(id)
						.map((style) => propertiesOf(childOf(style, 'w:rPr')))
						.reverse(),
				);
			known.set(id, found);
			return found;
		},
		paragraph,
		isShaded: (id) => chainOf(id).some((style) => Array.from(style.getElementsByTagName('w:shd')).some(hasFill)),
	};
}

/** Later properties replace earlier ones. */
export const merged = (all: readonly RunProperties[]): RunProperties => Object.assign({}, ...all) as RunProperties;

export function propertiesOf(properties: Element | undefined): RunProperties {
	if (properties === undefined) return {};
	const switches = ['w:vanish', 'w:webHidden', 'w:specVanish'].flatMap((name) => childOf(properties, name) ?? []);
	const size = Number(valueIn(childOf(properties, 'w:sz')) ?? Number.NaN);
	const colour = valueIn(childOf(properties, 'w:color'));
	const [shading, highlight] = [childOf(properties, 'w:shd'), valueIn(childOf(properties, 'w:highlight'))];
	return {
		...(switches.length > 0 && { hidden: switches.some((element) => isOn(element.getAttribute('w:val') || '1')) }),
		...(!Number.isNaN(size) && { size }),
		...(colour !== undefined && { white: isWhite(colour) }),
		...(shading !== undefined && { shaded: hasFill(shading) }),
		...(highlight !== undefined && { shaded: !/^(?:white|none)$/.test(highlight) }),
	};
}

const isOn = (value: string): boolean => !/^(?:0|false|off)$/.test(value);

const isWhite = (colour: string): boolean => /^f[c-f]f[c-f]f[c-f]$/i.test(colour);

/** Whether a shading has a colour: of a theme, a pattern, or stated and not white. */
export function hasFill(shading: Element): boolean {
	if (shading.getAttribute('w:themeFill')) return true;
	const fill = shading.getAttribute('w:fill') || 'auto';
	const pattern = shading.getAttribute('w:val') || 'clear';
	return (fill !== 'auto' && !isWhite(fill)) || !/^(?:clear|nil)$/.test(pattern);
}

export const valueIn = (element: Element | undefined): string | undefined =>
	element?.getAttribute('w:val') || undefined;

export function childOf(parent: Element | undefined, name: string): Element | undefined {
	for (let child: Node | null = parent?.firstChild ?? null; child !== null; child = child.nextSibling)
		if (child.nodeName === name) return child as Element;
	return undefined;
}
