import { ariaHiddenAttributeBit, classBit, hiddenAttributeBit, popoverBit, styleBit } from './attribute-bits.ts';
import { colourOf, isSameColour } from './colours.ts';
import { type Declarations, declare } from './css.ts';
import {
	ariaHiddenBit,
	awayBit,
	bitsOf,
	colouredBit,
	colourlessBit,
	displayedBit,
	halfBit,
	hiddenBits,
	inheritedBits,
	keepsLinesBit,
	keepsSpacesBit,
	removedBit,
	undoingBits,
	unselectableBit,
	watchedProperties,
} from './effects.ts';
import type { Element } from './node.ts';
import { maxClass, Sheet, withOwnVariables } from './sheet.ts';

export {
	ariaHiddenBit,
	fadedBit,
	hiddenBits,
	inheritedBits,
	invisibleBit,
	keepsLinesBit,
	removedBit,
	unselectableBit,
} from './effects.ts';

/** A rule of the page's sheets applies to a class of the list. */
const styledBit = 1 << 15;
/** Without these attributes, only the class list and the sheets say how an element looks. */
const decidingBits = styleBit | hiddenAttributeBit | popoverBit | ariaHiddenAttributeBit;

/** The bits that apply inside an element. */
export function inherit(outer: number, own: number): number {
	let bits = outer;
	for (const [hides, shows] of undoingBits) if (own & shows) bits &= ~hides;
	return bits | (own & inheritedBits);
}

/** Helper classes that only serve to show text to screen readers. */
const readersOnly =
	/(?:^|\s)(?:visually-?hidden(?:-focusable)?|sr-?only(?:-focusable)?|screen-?reader(?:s?-(?:only|text))?|hidden-?visually|a11y-hidden|u-hidden(?:-visually)?|element-invisible)(?=\s|$)/i;
const removedClass = /(?:^|\s)(?:is-hidden|d-none)(?=\s|$)/i;
/** Classes of the same set that mean "but shown on wide screens". */
const shownClass = /(?:^|\s)d-(?:sm|md|lg|xl|xxl|print)-(?:block|flex|inline|inline-block|grid|table)(?=\s|$)/i;
const linesClass = /(?:^|\s)(?:whitespace-pre-line|pre-line)(?=\s|$)/;
const spacesClass = /(?:^|\s)(?:whitespace-(?:pre|pre-wrap|break-spaces)|pre-wrap|text-pre-wrap)(?=\s|$)/;
/** A stem of each helper class: class lists without one are not checked further. */
const stem = /hidden|sr-?only|reader|invisible|d-none|whitespace-|pre-(?:line|wrap)/i;
/** Declarations that hide by what a sheet defines: an animation, or a custom property. */
const needsSheet =
	/(?:^|[;\s])(?:animation(?:-name)?\s*:|(?:display|visibility|opacity|color|font-size|clip-path)\s*:[^;]*var\()/i;
const maxInlineStyle = 10_000;
/** How many boxes around a text are searched for its ground. */
const maxAround = 6;

/** Computes the visibility of elements from their attributes and the page's own style sheets. */
export class Looks {
	readonly #sheet: Sheet | undefined;
	/** By class list, its bits, and whether a rule of the sheet applies to one of its classes. */
	readonly #byClass = new Map<string, number>();
	readonly #byStyle = new Map<string, number>();

	/**
	 * @param styles the `style` elements of the page in order
	 * @param root only it and elements in it are asked for: rules for others are skipped
	 */
	constructor(styles: readonly Element[], root: Element) {
		this.#sheet = Sheet.read(styles, root);
	}

	/** Whether the element and its content are invisible, unless a part of it undoes that. */
	hides(element: Element): boolean {
		return (this.of(element) & (hiddenBits | inheritedBits)) !== 0;
	}

	/** The bits of one element, without what it inherits. */
	of(element: Element): number {
		const { attributes, attributeBits } = element;
		const byClass = (attributeBits & classBit) === 0 ? 0 : this.#ofClass(attributes.class ?? '');
		if ((attributeBits & decidingBits) !== 0) return this.#withAttributes(element, byClass);
		const hiding = this.#sheet?.hidingBitsOf(element, (byClass & styledBit) !== 0) ?? 0;
		let bits = byClass & ~styledBit;
		if (hiding === unselectableBit) bits |= unselectableBit;
		else if (hiding !== 0 && this.#sheet !== undefined) bits |= this.#sheet.bitsOf(element, '', 0, hiding);
		return bits;
	}

	#withAttributes(element: Element, byClass: number): number {
		const { attributes } = element;
		const { style: written, hidden } = attributes;
		const style = written !== undefined && written.length < maxInlineStyle ? written : '';
		const own = style === '' ? 0 : this.#ofStyle(style);
		const isClosed = (hidden !== undefined && hidden !== 'until-found') || attributes.popover !== undefined;
		const sheet = this.#sheet;
		let bits = own;
		if (sheet !== undefined) {
			const isOpen =
				isClosed || (own & (hiddenBits | inheritedBits | halfBit)) !== 0 || (style !== '' && needsSheet.test(style));
			const hiding = sheet.hidingBitsOf(element, (byClass & styledBit) !== 0);
			// Nothing undoes what only keeps text from being selected.
			if (hiding === unselectableBit && !isOpen) bits |= unselectableBit;
			else if (hiding !== 0 || isOpen) bits = sheet.bitsOf(element, style, own, hiding);
		}
		bits |= byClass & ~styledBit;
		if (isClosed && (bits & displayedBit) === 0) bits |= removedBit;
		if (attributes['aria-hidden']?.trim().toLowerCase() === 'true') bits |= ariaHiddenBit;
		if (bits & colouredBit && style.includes('olor') && isOnSameGround(element, style))
			bits = (bits & ~colouredBit) | colourlessBit;
		if (style.includes('z-index') && isBehind(element, style)) bits |= awayBit;
		return bits;
	}

	#ofStyle(style: string): number {
		let bits = this.#byStyle.get(style);
		if (bits === undefined) {
			bits = bitsOf(declarationsOf(style), style.includes('--') ? withOwnVariables(style) : undefined);
			this.#byStyle.set(style, bits);
		}
		return bits;
	}

	#ofClass(name: string): number {
		let bits = this.#byClass.get(name);
		if (bits === undefined) {
			bits = name.length < maxClass && stem.test(name) ? bitsOfClass(name) : 0;
			if (this.#sheet?.hasClass(name)) bits |= styledBit;
			this.#byClass.set(name, bits);
		}
		return bits;
	}
}

function bitsOfClass(name: string): number {
	let bits = 0;
	if (readersOnly.test(name) && !shownClass.test(name)) bits |= awayBit;
	if (removedClass.test(name) && !shownClass.test(name)) bits |= removedBit;
	if (linesClass.test(name)) bits |= keepsLinesBit;
	if (spacesClass.test(name)) bits |= keepsLinesBit | keepsSpacesBit;
	return bits;
}

function declarationsOf(style: string): Declarations {
	const declared: Declarations = new Map();
	declare(declared, style, watchedProperties);
	return declared;
}

/** The colour of the text in a style attribute is that of the nearest ground, and no class can set another between. */
function isOnSameGround(element: Element, style: string): boolean {
	const declared = declarationsOf(style);
	const text = colourOf(declared.get('color')?.value ?? '');
	if (text === undefined || declared.has('background-color') || declared.has('text-shadow')) return false;
	const { attributes } = element;
	if (attributes.class !== undefined || attributes.id !== undefined) return false;
	const ground = groundAround(element);
	return ground !== undefined && isSameColour(text, ground);
}

/** Placed behind a box with a ground of its own. */
function isBehind(element: Element, style: string): boolean {
	const declared = declarationsOf(style);
	const position = declared.get('position')?.value ?? 'static';
	if (position === 'static' || !declared.get('z-index')?.value.startsWith('-')) return false;
	return groundAround(element) !== undefined;
}

/** The ground that a style attribute gives the nearest box around an element, without classes between. */
function groundAround({ parent }: Element): ReturnType<typeof colourOf> {
	let at = parent;
	for (let level = 0; at !== null && level < maxAround; level++, at = at.parent) {
		const { style, class: name, id, bgcolor } = at.attributes;
		const declared = style === undefined || style.length >= maxInlineStyle ? undefined : declarationsOf(style);
		const ground = declared?.get('background-color')?.value ?? bgcolor?.toLowerCase();
		if (ground !== undefined) return colourOf(ground);
		if (name !== undefined || id !== undefined) return undefined;
	}
	return undefined;
}
