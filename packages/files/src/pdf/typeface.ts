import type { Typeface } from './types.ts';

/** The part of a font of pdf.js that is read. */
export interface PdfFont {
	readonly name?: string;
	readonly bold?: boolean;
	readonly black?: boolean;
	readonly italic?: boolean;
	readonly fallbackName?: string;
	readonly isType3Font?: boolean;
	readonly isMonospace?: boolean;
	readonly fontMatrix?: readonly number[];
	readonly vertical?: boolean;
	readonly composite?: boolean;
	readonly widths?: Readonly<Record<string, number>>;
	/** A font without a table of characters has the first and last code only. */
	readonly toUnicode?: { readonly firstChar?: number };
}

const boldName = /bold|black|heavy|demi(?!-?light)|[-_,](?:b|bd|bi)$/i;
const italicName = /italic|oblique|slanted|\bcm(?:mi|ti|sl)\d|[-_,](?:i|it|bi|o)$/i;
const monoName =
	/mono(?!type)|courier|consol|menlo|typewriter|fixed|inconsolata|source-?code|fira-?code|cmtt|lmtt|sourcecode|[-_]code\b/i;

/** Stands for a character that the file shows and does not name. */
export const unknownCharacter = '\ufffd';

/** Whether a font has glyphs by number only, and no table that says which characters they are (ISO 32000-1 §9.10). */
export const namesNoCharacters = ({ composite, toUnicode }: PdfFont): boolean =>
	composite === true && toUnicode?.firstChar !== undefined;

/** Ligatures and signs that the fonts of TeX have in the place of control characters. */
const texCodes: Readonly<Record<string, string>> = {
	'\x0b': 'ff',
	'\x0c': 'fi',
	'\x0d': 'fl',
	'\x0e': 'ffi',
	'\x0f': 'ffl',
	'\x10': 'ı',
	'\x15': '–',
	'\x16': '—',
	'\x88': '•',
};

/** The text of a glyph; control characters and characters for private use name none. */
export function shownText(text: string, font: PdfFont | undefined): string {
	if (!/[\0-\x08\x0b-\x1f\x7f-\x9f\ue000-\uf8ff]/.test(text)) return text;
	return (font?.isType3Font === true ? texCodes[text] : undefined) ?? unknownCharacter;
}

/**
 * Points in which glyphs of a Type 3 font are drawn: such a font may have any unit, so that its size says nothing if its glyphs
 * are much wider.
 *
 * @param unit points of one unit of their widths
 */
export function drawnSize(glyphs: readonly unknown[], size: number, unit: number): number {
	const widths = glyphs.flatMap((glyph) => {
		const { width } = (glyph ?? {}) as { width?: number };
		return typeof width === 'number' && width > 0 ? [width * Math.abs(unit)] : [];
	});
	const mean = widths.reduce((sum, width) => sum + width, 0) / widths.length;
	return mean > Math.abs(size) * 1.5 ? mean * 2 : Math.abs(size);
}

const leastWidths = 10;

const hasMany = ({ widths }: PdfFont): boolean =>
	widths === undefined || Object.values(widths).filter((width) => width > 0).length >= leastWidths;

const typefaces = new WeakMap<PdfFont, Typeface>();

/** What a font is, by its flags and its name. */
export function typefaceOf(font: PdfFont): Typeface {
	const known = typefaces.get(font);
	if (known !== undefined) return known;
	const name = (font.name ?? '').replace(/^[A-Z]{6}\+/, '');
	const typeface: Typeface = {
		bold: font.bold === true || font.black === true || boldName.test(name),
		italic: font.italic === true || italicName.test(name),
		// pdf.js calls Type 3 fonts monospaced, whatever they are.
		// A font of which a few characters are left may have one width by chance.
		mono: monoName.test(name) || (font.isType3Font !== true && font.fallbackName === 'monospace' && hasMany(font)),
	};
	typefaces.set(font, typeface);
	return typeface;
}
