import { allOf, elementsOf, within, type XmlElement } from '../office/xml.ts';

/** The properties of text in a style (ODF part 3 §16, §20); undefined: inherited. */
export interface TextLook {
	readonly hidden?: boolean;
	readonly white?: boolean;
	/** A colour behind the text. */
	readonly ground?: boolean;
	/** Smaller than a reader can see. */
	readonly tiny?: boolean;
	readonly bold?: boolean;
	readonly italic?: boolean;
	readonly mono?: boolean;
	readonly shift?: 'sup' | 'sub' | 'none';
}

export interface OdtStyles {
	of(name: string | undefined): TextLook;
	/** Names of a style and of those that it is based on, as people see them. */
	namesOf(name: string | undefined): readonly string[];
	/** The first number of a level of a list; undefined where it has bullets. */
	startOf(list: string | undefined, level: number): number | undefined;
	/** Whether cells of a style have a colour. */
	hasGround(cell: string | undefined): boolean;
	readonly language: string | undefined;
}

/** Styles that are based on another one, at most. */
const maxChain = 40;
const mono = /mono|courier|consol|menlo|typewriter/i;

export function readStyles(trees: readonly XmlElement[]): OdtStyles {
	const all = trees.flatMap((tree) => allOf(tree, 'style:style'));
	const styles = new Map(all.map((style) => [style.attributes['style:name'] ?? '', style]));
	const faces = new Map(
		trees
			.flatMap((tree) => allOf(tree, 'style:font-face'))
			.map(({ attributes }) => [attributes['style:name'], attributes['svg:font-family'] ?? '']),
	);
	const lists = new Map(
		trees.flatMap((tree) => allOf(tree, 'text:list-style')).map((list) => [list.attributes['style:name'], list]),
	);
	const known = new Map<string, TextLook>();
	const chainOf = (name: string | undefined): XmlElement[] => {
		const chain: XmlElement[] = [];
		let style = styles.get(name ?? '');
		while (style !== undefined && chain.length < maxChain && !chain.includes(style)) {
			chain.push(style);
			style = styles.get(style.attributes['style:parent-style-name'] ?? '');
		}
		return chain;
	};
	return {
		of(name = '') {
			let look = known.get(name);
			if (look === undefined) {
				look = Object.assign(
					{},
					...chainOf(name)
						.map((style) => lookOf(style, faces))
						.reverse(),
				) as TextLook;
				known.set(name, look);
			}
			return look;
		},
		// Some programs use names that they do not define.
		namesOf: (name) => [
			readable(name),
			...chainOf(name).map(({ attributes }) => readable(attributes['style:display-name'] ?? attributes['style:name'])),
		],
		startOf(list, level) {
			const numbered = elementsOf(lists.get(list)).find(
				({ name, attributes }) =>
					name === 'text:list-level-style-number' &&
					attributes['text:level'] === String(level) &&
					attributes['style:num-format'],
			);
			return numbered === undefined ? undefined : Number(numbered.attributes['text:start-value'] ?? 1) || 1;
		},
		hasGround: (cell) =>
			chainOf(cell).some((style) => {
				const colour = within(style, 'style:table-cell-properties')?.attributes['fo:background-color'];
				return colour !== undefined && colour !== 'transparent' && !isWhite(colour);
			}),
		language: languageOf(trees),
	};
}

/** `Heading_20_1` is what people see as `Heading 1`. */
const readable = (name = ''): string =>
	name.replace(/_([0-9a-f]{2,4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

function lookOf(style: XmlElement, faces: ReadonlyMap<string | undefined, string>): TextLook {
	const text = within(style, 'style:text-properties')?.attributes ?? {};
	const behind = within(style, 'style:paragraph-properties')?.attributes['fo:background-color'];
	const { 'fo:color': colour, 'text:display': display, 'fo:font-size': size } = text;
	const ground = text['fo:background-color'] ?? behind;
	const fontName = text['style:font-name'];
	const font =
		text['fo:font-family'] ?? (fontName === undefined ? undefined : `${fontName} ${faces.get(fontName) ?? ''}`);
	const [weight, slope, position] = [text['fo:font-weight'], text['fo:font-style'], text['style:text-position']];
	const points = /^([\d.]+)pt$/.exec(size ?? '')?.[1];
	return {
		...(display !== undefined && { hidden: display === 'none' }),
		...(colour !== undefined && { white: isWhite(colour) }),
		...(ground !== undefined && { ground: ground !== 'transparent' && !isWhite(ground) }),
		...(points !== undefined && { tiny: Number(points) <= 1.5 }),
		...(weight !== undefined && { bold: weight === 'bold' || Number(weight) >= 600 }),
		...(slope !== undefined && { italic: slope !== 'normal' }),
		...(font !== undefined && { mono: mono.test(font) }),
		...(position !== undefined && { shift: shiftOf(position) }),
	};
}

const isWhite = (colour: string): boolean => /^#f[c-f]f[c-f]f[c-f]$/i.test(colour);

function shiftOf(position: string): 'sup' | 'sub' | 'none' {
	if (/^(?:super|[1-9])/.test(position)) return 'sup';
	return /^(?:sub|-)/.test(position) ? 'sub' : 'none';
}

function languageOf(trees: readonly XmlElement[]): string | undefined {
	for (const tree of trees)
		for (const style of allOf(tree, 'style:default-style')) {
			if (style.attributes['style:family'] !== 'paragraph') continue;
			const { 'fo:language': language, 'fo:country': country } =
				within(style, 'style:text-properties')?.attributes ?? {};
			if (language === undefined || language === 'none' || language === 'zxx') continue;
			return country === undefined || country === 'none' ? language : `${language}-${country}`;
		}
	return undefined;
}
