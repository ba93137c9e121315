/** The names of most tags and attributes; of two with the same place below the first is found faster. */
const COMMON = `
	div a span li p class href id style img td tr br ul ol h1 h2 h3 h4 h5 h6 strong em b i small button input label form
	script link meta section article nav header footer main aside figure figcaption picture source svg path g use table
	tbody thead th dl dt dd pre code blockquote time abbr cite sup sub option select iframe noscript title html head body
	src alt rel type name content value role target width height srcset sizes property media loading decoding tabindex
	for placeholder action method datetime itemprop itemscope itemtype colspan rowspan lang aria-label aria-hidden
	aria-expanded aria-controls aria-labelledby aria-current data-id data-src data-testid onclick viewbox fill d async
	defer hidden xmlns crossorigin`;

const PLACES = 1024;
const places = new Array<string>(PLACES).fill('');

/** First and last character and the length tell the common names apart. */
const placeOf = (first: number, last: number, length: number): number =>
	(first * 9 + last * 37 + length) & (PLACES - 1);

// The keys of an object are compared with names in code by where they lie, other strings letter by letter.
const internalized = Object.keys(
	Object.fromEntries(
		COMMON.trim()
			.split(/\s+/)
			.map((name) => [name, 0]),
	),
);

for (const name of internalized) {
	const place = placeOf(name.charCodeAt(0), name.charCodeAt(name.length - 1), name.length);
	if (places[place] === '') places[place] = name;
}

/**
 * The name of a tag or attribute in lower case. A common one is not cut out of the source: it need not be hashed anew
 * whenever something is looked up by it.
 */
export function nameAt(source: string, start: number, end: number): string {
	const common = places[placeOf(source.charCodeAt(start), source.charCodeAt(end - 1), end - start)]!;
	if (common.length === end - start && source.startsWith(common, start)) return common;
	return source.slice(start, end).toLowerCase();
}
