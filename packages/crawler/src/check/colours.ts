type Colour = (text: string) => string;

/** The colours of an explanation. picocolors has them all. */
export interface Colours {
	readonly bold: Colour;
	readonly dim: Colour;
	readonly red: Colour;
	readonly green: Colour;
	readonly yellow: Colour;
}

const plain: Colour = (text) => text;

/** No colours, for text that programs read. */
export const plainColours: Colours = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain };
