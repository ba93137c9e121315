/** The elements around a block that features use, each a bit. */
export const aroundTags = [
	'article',
	'main',
	'nav',
	'header',
	'footer',
	'aside',
	'form',
	'table',
	'ul',
	'ol',
	'figure',
	'details',
	'blockquote',
	'noscript',
	'dialog',
	'section',
	'button',
	'dl',
];
const bits = new Map(aroundTags.map((tag, i) => [tag, 1 << i]));

/** The bit of a tag; none for most. */
export const aroundBit = (tag: string): number => bits.get(tag) ?? 0;

const footerBit = aroundBit('footer');
const quotationBit = aroundBit('blockquote');
const furnitureBits = aroundBit('nav') | aroundBit('dialog');

/** Kinds of boxes around a box, itself included. */
interface Inside {
	readonly around: number;
}

/** In the footer of a page or article. That of a quotation tells who said it. */
export const isInFooter = ({ around }: Inside): boolean => (around & (footerBit | quotationBit)) === footerBit;

/** In a menu, a dialog or a footer. */
export const isInFurniture = (box: Inside): boolean => isInFooter(box) || (box.around & furnitureBits) !== 0;
