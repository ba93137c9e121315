/** The elements that blocks are told to be in, each a bit. */
export const AROUND = [
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
const bits = new Map(AROUND.map((tag, i) => [tag, 1 << i]));

/** The bit of a tag; none for most. */
export const aroundBit = (tag: string): number => bits.get(tag) ?? 0;

const FOOTER = aroundBit('footer');
const QUOTATION = aroundBit('blockquote');
const FURNITURE = aroundBit('nav') | aroundBit('dialog');

/** What a box is in, itself counted. */
interface Inside {
	readonly around: number;
}

/** In the footer of a page or article. That of a quotation tells who said it. */
export const isInFooter = ({ around }: Inside): boolean => (around & (FOOTER | QUOTATION)) === FOOTER;

/** In a menu, a dialog or a footer. */
export const isInFurniture = (box: Inside): boolean => isInFooter(box) || (box.around & FURNITURE) !== 0;
