import { bitNames } from './attribute-bits.ts';

/** The names of most tags and attributes; of two with the same place below the first is found faster. */
const commonNames = `
	${bitNames.join(' ')}
	div a span li p class href id style img td tr br ul ol h1 h2 h3 h4 h5 h6 strong em b i small button input label form
	script link meta section article nav header footer main aside figure figcaption picture source svg path g use table
	tbody thead th dl dt dd pre code blockquote time abbr cite sup sub option select iframe noscript title html head body
	src alt rel type name content value role target width height srcset sizes property media loading decoding tabindex
	for placeholder action method datetime itemprop itemscope itemtype colspan rowspan lang aria-label aria-hidden
	aria-expanded aria-controls aria-labelledby aria-current data-id data-src data-testid onclick viewbox fill d async
	defer hidden xmlns crossorigin`;

export const placeCount = 1024;
const places = new Array<string>(placeCount).fill('');

/** Three characters and the length, with factors that tell nearly all of the common names apart. */
function placeOf(source: string, start: number, end: number): number {
	const length = end - start;
	const third = source.charCodeAt(start + ((length * 3) >> 2));
	return (source.charCodeAt(start) * 13 + source.charCodeAt(end - 1) * 51 + third * 29 + length) & (placeCount - 1);
}

// The keys of an object are compared with names in code by where they lie, other strings letter by letter.
const internalized = Object.keys(
	Object.fromEntries(
		commonNames
			.trim()
			.split(/\s+/)
			.map((name) => [name, 0]),
	),
);

for (const name of internalized) {
	const place = placeOf(name, 0, name.length);
	if (places[place] === '') places[place] = name;
}

/** The place of a common name in a table; -1 for other names. */
export function placeAt(source: string, start: number, end: number): number {
	const place = placeOf(source, start, end);
	const common = places[place]!;
	return common.length === end - start && source.startsWith(common, start) ? place : -1;
}

export const nameOf = (place: number): string => places[place]!;

/**
 * The name of a tag or attribute in lower case. A common one is not cut out of the source: it need not be hashed at
 * every look-up.
 */
export function nameAt(source: string, start: number, end: number): string {
	const place = placeAt(source, start, end);
	return place < 0 ? source.slice(start, end).toLowerCase() : nameOf(place);
}
