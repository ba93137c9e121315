// Facts about tags for the tree construction rules, as bits, so that each token costs one look-up.
// HTML standard, "Parsing HTML documents": the element categories of §13.2.4.2 and §13.2.4.3.

export const voidBit = 1 << 0;
/** The "special" category: block structure that a stray formatting end tag must not close. */
export const specialBit = 1 << 1;
/** Starts only after an open `p` is closed. */
export const closesPBit = 1 << 2;
export const formattingBit = 1 << 3;
export const headingBit = 1 << 4;
/** Belongs in `head` while the body has not begun. */
export const headBit = 1 << 5;
/** Ends "scope" searches. */
export const scopeBit = 1 << 6;
/** End tag implied by the end of its parent. */
export const impliedEndBit = 1 << 7;
/** Direct text and foreign elements in here move in front of the table. */
export const tableContextBit = 1 << 8;
/** May stand directly inside table structure. */
export const tablePartBit = 1 << 9;
/** Formatting opened inside ends with it. */
export const markerBit = 1 << 10;
/** HTML that ends an open svg or math element. */
export const breakoutBit = 1 << 11;
/** Inside svg or math: children are HTML again (§13.2.6, "integration point"). */
export const integrationBit = 1 << 12;
/** Ends with an end tag that also closes what is left open inside. */
export const blockEndBit = 1 << 13;

export interface Tag {
	readonly name: string;
	readonly flags: number;
}

const groups: [flag: number, names: string][] = [
	[
		voidBit,
		'area base basefont bgsound br col command embed frame hr img input keygen link meta param source track wbr',
	],
	[
		specialBit,
		'address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre script search section select source style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp',
	],
	[
		closesPBit,
		'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp',
	],
	[formattingBit, 'a b big code em font i nobr s small strike strong tt u'],
	[headingBit, 'h1 h2 h3 h4 h5 h6'],
	[headBit, 'base basefont bgsound link meta noframes script style template title'],
	[scopeBit, 'applet caption html marquee object table td template th'],
	[impliedEndBit, 'dd dt li optgroup option p rb rp rt rtc'],
	[tableContextBit, 'table tbody tfoot thead tr'],
	[tablePartBit, 'caption col colgroup form script style table tbody td template tfoot th thead tr'],
	[markerBit, 'applet caption marquee object td template th'],
	[
		breakoutBit,
		'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
	],
	[
		blockEndBit,
		'address article aside blockquote button center details dialog dir div dl fieldset figcaption figure footer header hgroup listing main menu nav ol pre search section select summary ul applet marquee object',
	],
];

const known = new Map<string, Tag>();
for (const [flag, names] of groups) {
	for (const name of names.split(' ')) known.set(name, { name, flags: (known.get(name)?.flags ?? 0) | flag });
}
known.set('image', known.get('img')!);

/** Integration points of MathML and SVG: their flags apply in their own namespace only. */
const mathPoints: ReadonlySet<string> = new Set(['mi', 'mn', 'mo', 'ms', 'mtext']);
const svgPoints: ReadonlySet<string> = new Set(['desc', 'foreignobject', 'title']);

/**
 * The flags of an element in svg or math: integration points also end scopes and are special (§13.2.4.2).
 *
 * @param encoding of an `annotation-xml`
 */
export function foreignFlags(name: string, isMath: boolean, encoding: string | undefined): number {
	if (isMath && name === 'annotation-xml')
		return (
			scopeBit | specialBit | (/^(?:text\/html|application\/xhtml\+xml)$/i.test(encoding ?? '') ? integrationBit : 0)
		);
	return (isMath ? mathPoints : svgPoints).has(name) ? scopeBit | specialBit | integrationBit : 0;
}

/** The tag with this name, in lower case. */
export const tagOf = (name: string): Tag => known.get(name) ?? { name: internalized(name), flags: 0 };

/** The key of an object: code that compares names by where they lie is compiled again when another string comes to it. */
const internalized = (name: string): string => Object.keys({ [name]: 0 })[0] ?? name;
