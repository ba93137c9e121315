/** Attributes that walks over a page look for: most elements have none of them, which one number shows. */
export const styleBit = 1 << 0;
export const hiddenAttributeBit = 1 << 1;
export const popoverBit = 1 << 2;
export const ariaHiddenAttributeBit = 1 << 3;
export const idBit = 1 << 4;
export const roleBit = 1 << 5;
export const itempropBit = 1 << 6;
export const itemtypeBit = 1 << 7;
/** Names that authors give to parts besides class and id. */
export const partNameBit = 1 << 8;
/** A control names the part that it opens. */
export const controlBit = 1 << 9;
export const hrefBit = 1 << 10;
export const classBit = 1 << 11;
export const ariaModalBit = 1 << 12;
export const typeBit = 1 << 13;
export const relBit = 1 << 14;

const bits: ReadonlyMap<string, number> = new Map([
	['style', styleBit],
	['hidden', hiddenAttributeBit],
	['popover', popoverBit],
	['aria-hidden', ariaHiddenAttributeBit],
	['id', idBit],
	['role', roleBit],
	['itemprop', itempropBit],
	['itemtype', itemtypeBit],
	['data-testid', partNameBit],
	['data-component', partNameBit],
	['aria-controls', controlBit],
	['data-target', controlBit],
	['data-bs-target', controlBit],
	['data-toggle', controlBit],
	['data-controls', controlBit],
	['data-tab', controlBit],
	['data-tab-id', controlBit],
	['onclick', controlBit],
	['for', controlBit],
	['href', hrefBit],
	['class', classBit],
	['aria-modal', ariaModalBit],
	['type', typeBit],
	['rel', relBit],
]);

/** Their names. */
export const bitNames: readonly string[] = [...bits.keys()];

/** The bit of an attribute; 0 for most. */
export const attributeBit = (name: string): number => bits.get(name) ?? 0;

export function attributeBits(attributes: Readonly<Record<string, string>>): number {
	let all = 0;
	for (const name in attributes) all |= attributeBit(name);
	return all;
}
