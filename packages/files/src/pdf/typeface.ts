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
}

const boldName = /bold|black|heavy|demi(?!-?light)|[-_,](?:b|bd|bi)$/i;
const italicName = /italic|oblique|slanted|[-_,](?:i|it|bi|o)$/i;
const monoName =
	/mono(?!type)|courier|consol|menlo|typewriter|fixed|inconsolata|source-?code|fira-?code|cmtt|lmtt|sourcecode|[-_]code\b/i;

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
		mono: monoName.test(name) || (font.isType3Font !== true && font.fallbackName === 'monospace'),
	};
	typefaces.set(font, typeface);
	return typeface;
}
