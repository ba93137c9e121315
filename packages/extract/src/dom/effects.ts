import { colourOf, isSameColour, transparent } from './colours.ts';
import { type Declarations, declare, Properties } from './css.ts';

// Effects of styles and attributes on an element, as bits.

/** Not rendered: `display: none`, `hidden`, or a helper class that does the same. */
export const removedBit = 1 << 0;
/** `visibility: hidden` or `collapse`, which children can undo. */
export const invisibleBit = 1 << 1;
export const visibleBit = 1 << 2;
/** `opacity: 0` without an animation or transition that would fade it in. */
export const fadedBit = 1 << 3;
/** Off the page, clipped, in a box without size, or for screen readers only. */
export const awayBit = 1 << 4;
/** `font-size: 0`, which children can undo. */
export const sizelessBit = 1 << 5;
export const sizedBit = 1 << 6;
/** Text that is transparent or has the colour of its own background; children can undo it. */
export const colourlessBit = 1 << 7;
export const colouredBit = 1 << 8;
/** `aria-hidden=true`. */
export const ariaHiddenBit = 1 << 9;
/** Line breaks of the source are kept, or all white space is. */
export const keepsLinesBit = 1 << 10;
export const keepsSpacesBit = 1 << 11;
/** Cannot be selected, as line numbers are. */
export const unselectableBit = 1 << 12;
/** Rendered by its own `display`, regardless of the attribute `hidden`. */
export const displayedBit = 1 << 13;
/** Hides together with what another rule may say: a box without size that shows what overflows. */
export const halfBit = 1 << 14;

/** Hides the element regardless of its content. */
export const hiddenBits = removedBit | fadedBit | awayBit | ariaHiddenBit;
/** Hides text unless an element inside shows it again. */
export const inheritedBits = invisibleBit | sizelessBit | colourlessBit;

/** The bit that undoes each of these. */
export const undoingBits: readonly (readonly [hides: number, shows: number])[] = [
	[invisibleBit, visibleBit],
	[sizelessBit, sizedBit],
	[colourlessBit, colouredBit],
];

/** Properties that move an element out of sight, or back. */
export const placing: readonly string[] =
	'clip clip-path left top right bottom height width max-height max-width transform translate scale rotate text-indent letter-spacing margin-left margin-top'.split(
		' ',
	);

/** The properties that can undo each effect. */
export const showing: readonly (readonly [names: readonly string[], bits: number])[] = [
	[['display', 'content-visibility'], removedBit],
	[['visibility'], invisibleBit],
	[['opacity', 'animation', 'filter'], fadedBit],
	[placing, awayBit],
	[['font-size'], sizelessBit],
	[['color', 'background-color', '-webkit-text-fill-color'], colourlessBit],
];

/** All properties that are read. */
export const watchedProperties = new Properties([
	...showing.flatMap(([names]) => names),
	...'font background inset margin inset-inline-start inset-block-start margin-inline-start margin-block-start'.split(
		' ',
	),
	...'block-size inline-size max-block-size max-inline-size -webkit-clip-path -webkit-transform -webkit-user-select'.split(
		' ',
	),
	...'-webkit-background-clip animation-name animation-fill-mode transition will-change position z-index'.split(' '),
	...'overflow overflow-x overflow-y white-space white-space-collapse user-select background-clip text-shadow'.split(
		' ',
	),
]);

/** The properties that have to do with some effects of declarations: those that hide, and those that undo it. */
export function relevantTo(bits: number, declared: Declarations): string[] {
	const names = showing.flatMap(([properties, effect]) =>
		(bits & effect) === 0 ? [] : effect === awayBit ? properties.filter((name) => declared.has(name)) : properties,
	);
	for (const [properties, effect] of modifying) if (bits & effect) names.push(...properties);
	// Shorthands set some of them.
	if (names.length > 0) names.push(...broad);
	return names;
}

const broad: readonly string[] = ['background', 'font', 'inset'];
/** Properties that change what others do. */
const modifying: readonly (readonly [names: readonly string[], bits: number])[] = [
	[['transition', 'will-change', 'transform', 'translate', 'scale', 'animation-fill-mode'], fadedBit],
	[['position', 'overflow', 'overflow-x', 'overflow-y', 'margin', 'transition'], awayBit | halfBit],
	[['height', 'width', 'max-height', 'max-width'], halfBit],
	[['text-shadow', 'background-clip', '-webkit-background-clip'], colourlessBit],
	[['white-space', 'white-space-collapse'], keepsLinesBit],
	[['user-select', '-webkit-user-select'], unselectableBit],
];

/** The effects that a property has to do with. */
const effectsOf: ReadonlyMap<string, number> = (() => {
	const effects = new Map<string, number>();
	for (const [properties, bits] of [...showing, ...modifying])
		for (const name of properties) effects.set(name, (effects.get(name) ?? 0) | bits);
	return effects;
})();

/** The effects that declarations may have or undo. */
export function concernedBy(declared: Declarations): number {
	let bits = 0;
	for (const name of declared.keys()) bits |= effectsOf.get(name) ?? 0;
	return bits;
}

/** Sets of properties: one bit in one of two numbers for each name that `relevantTo` returns. */
export interface PropertySet {
	readonly low: number;
	readonly high: number;
}

const placeInSet: ReadonlyMap<string, number> = new Map(
	[...new Set([...effectsOf.keys(), ...broad])].map((name, i) => [name, i]),
);

export function propertySet(names: Iterable<string>): PropertySet {
	let low = 0;
	let high = 0;
	for (const name of names) {
		const place = placeInSet.get(name);
		if (place === undefined) continue;
		if (place < placesEach) low |= 1 << place;
		else high |= 1 << (place - placesEach);
	}
	return { low, high };
}

const placesEach = 30;

/** Whether a rule declares one of some properties. */
export const declaresAny = (one: PropertySet, other: PropertySet): boolean =>
	(one.low & other.low) !== 0 || (one.high & other.high) !== 0;

/** Named definitions in the sheets of a page. */
export interface Definitions {
	/** The value of a custom property. */
	variable(name: string): string | undefined;
	/** Values whose custom properties are replaced already. */
	readonly known?: Map<string, string>;
	/** The declarations at the end of an animation. */
	endOf(animation: string): Declarations | undefined;
}

/** First characters of values that hide or keep lines; a pattern may say more. */
const firstLetters: Readonly<Record<string, string>> = {
	display: 'nv',
	'content-visibility': 'hv',
	visibility: 'hcv',
	opacity: '0.12vcm',
	filter: 'ov',
	height: '01cvm',
	width: '01cvm',
	'max-height': '01cvm',
	'max-width': '01cvm',
	'block-size': '01cvm',
	'inline-size': '01cvm',
	'max-block-size': '01cvm',
	'max-inline-size': '01cvm',
	'font-size': '01.cv',
	'white-space': 'pbv',
	'white-space-collapse': 'pv',
	'user-select': 'nv',
	'-webkit-user-select': 'nv',
};
/** Properties that hide only together with others. */
const helping: ReadonlySet<string> = new Set(
	'position z-index overflow overflow-x overflow-y transition will-change background background-color background-clip -webkit-background-clip text-shadow animation-fill-mode'.split(
		' ',
	),
);

const calculated = String.raw`var\(|(?:calc|min)\(\s*[-+]?[\d.]+[a-z%]*\s*[),*]`;
const lengthLeft = /-\d{2,}(?:\.\d+)?(?![%.\d])|\(/;
// Alpha of next to nothing, as the last component or as a digit of a hexadecimal colour.
const colourPattern =
	/transp|var\(|calc\(|[,/\s]\s*(?:0*(?:\.0\d*)?|[0-2](?:\.\d*)?%)\s*\)|#[\da-f]{4}(?:$|[\da-f]{4}$)|#(?:[\da-f]{4}|[\da-f]{8})\s*!/i;
// At least 1,900 pixels to the left, or four digits to the right.
const offsetPattern = /-\d{3,}(?:\.\d+)?(?![%.\d])|-\d{2}(?:\.\d+)?(?:in|cm)|\d{4}|var/i;
const insetPattern = new RegExp(String.raw`${offsetPattern.source}|\d{2,}(?:\.\d+)?(?:in|cm|r?em|v[wh])|\(`, 'i');
const zeroScale = String.raw`[-+]?(?:0+(?:\.0*)?|\.0+)(?:[a-z]+|%)?`;
// Degenerate matrices and scales, quarter turns, and lengths far to the left.
const transformPattern = new RegExp(
	String.raw`matrix|rotate[xy]|scale\w*\((?:[^)]*[\s,])?${zeroScale}[\s,)]|-\d{2,}(?:\.\d+)?(?![%.\d])|var\(|calc|min\(`,
	'i',
);
const extentPattern = new RegExp(String.raw`^(?:[01](?:px)?|0(?:\.0*)?[a-z%]*)\s*(?:!|$)|${calculated}`, 'i');
// Nothing, a tenth of the letters around, a pixel, or less.
const sizePattern = new RegExp(
	String.raw`^(?:0*(?:\.0*)?[a-z%]*|0*\.(?:0\d*|10*)[a-z%]+|(?:0*\.\d+|0*1(?:\.0*)?)p[xt]|0*(?:10?)?(?:\.\d+)?%)\s*(?:!|$)|${calculated}`,
	'i',
);
const contained: Readonly<Record<string, RegExp>> = {
	opacity: new RegExp(String.raw`^(?:0*(?:\.0\d*)?|[0-2](?:\.\d*)?%)\s*(?:!|$)|${calculated}`, 'i'),
	height: extentPattern,
	width: extentPattern,
	'max-height': extentPattern,
	'max-width': extentPattern,
	'block-size': extentPattern,
	'inline-size': extentPattern,
	'max-block-size': extentPattern,
	'max-inline-size': extentPattern,
	'font-size': sizePattern,
	margin: /-\d{3}/,
	'margin-left': /-\d{3}/,
	'margin-top': /-\d{3}/,
	animation: /forwards|both/i,
	'animation-name': /forwards|both/i,
	color: colourPattern,
	'-webkit-text-fill-color': colourPattern,
	left: offsetPattern,
	right: offsetPattern,
	top: offsetPattern,
	bottom: offsetPattern,
	font: /(?:^|\s)(?:0|\.|1(?:\.0*)?p[xt]|(?:\d|10)(?:\.\d*)?%)/i,
	inset: insetPattern,
	'inset-inline-start': insetPattern,
	'inset-block-start': insetPattern,
	'margin-inline-start': lengthLeft,
	'margin-block-start': lengthLeft,
	'text-indent': /-|\d{3}|\(/,
	'letter-spacing': /-0*[1-9]|\(/,
	transform: transformPattern,
	'-webkit-transform': transformPattern,
	translate: lengthLeft,
	scale: new RegExp(String.raw`(?:^|\s)${zeroScale}(?:[\s!]|$)|\(`, 'i'),
	rotate: /^[xy]|\(/i,
	clip: /\(/,
	'clip-path': /\(/,
	'-webkit-clip-path': /\(/,
};

/** The properties that the declarations of a rule set. */
export interface Traits extends PropertySet {
	/** See `concernedBy`. */
	readonly concern: number;
	/** They may have an effect that hides or keeps lines; most have none. */
	readonly mayHide: boolean;
}

interface Trait extends PropertySet {
	readonly concern: number;
	readonly isColour: boolean;
	readonly isGround: boolean;
	readonly isAnimation: boolean;
	readonly isFill: boolean;
	readonly isHelping: boolean;
	/** See `firstLetters`, whose letters stand here in both cases, and `contained`. */
	readonly first: string | undefined;
	readonly pattern: RegExp | undefined;
}

const traitByIndex: readonly Trait[] = watchedProperties.names.map((name) => {
	const declared: Declarations = new Map();
	declare(declared, `${name}: 0`, watchedProperties);
	const first = firstLetters[name];
	return {
		...propertySet([name]),
		concern: concernedBy(declared),
		isColour: name === 'color' || name === '-webkit-text-fill-color',
		isGround: name.startsWith('background'),
		isAnimation: name === 'animation' || name === 'animation-name',
		isFill: name === 'animation-fill-mode',
		isHelping: helping.has(name),
		first: first === undefined ? undefined : first + first.toUpperCase(),
		pattern: contained[name],
	};
});

const semicolonCode = 0x3b;
const colonCode = 0x3a;

/**
 * Reads the traits of the declarations from `from` to `to` of a sheet in one pass, without reading values; undefined if
 * nothing matters here.
 *
 * @param canHide otherwise `mayHide` is not looked for
 */
export function traitsOf(source: string, from: number, to: number, canHide = true): Traits | undefined {
	let low = 0;
	let high = 0;
	let concern = 0;
	let mayHide = !canHide;
	let hasColour = false;
	let hasGround = false;
	let hasAnimation = false;
	let hasFill = false;
	let isRead = false;
	for (let at = from, end = from; at < to; at = end + 1) {
		let colon = to;
		for (end = at; end < to; end++) {
			const code = source.charCodeAt(end);
			if (code === semicolonCode) break;
			if (code === colonCode && colon === to) colon = end;
		}
		if (colon >= end) continue;
		const index = watchedProperties.indexOf(source, at, colon);
		if (index < 0) continue;
		const trait = traitByIndex[index]!;
		let start = colon + 1;
		while (start < end && source.charCodeAt(start) <= 0x20) start++;
		if (start === end) continue;
		isRead = true;
		low |= trait.low;
		high |= trait.high;
		concern |= trait.concern;
		if (trait.isColour) hasColour = true;
		else if (trait.isGround) hasGround = true;
		else if (trait.isAnimation) hasAnimation = true;
		else if (trait.isFill) hasFill ||= /^(?:both|f)/i.test(source.slice(start, end));
		if (mayHide || trait.isHelping) continue;
		mayHide =
			(trait.first === undefined || trait.first.includes(source.charAt(start))) &&
			(trait.pattern === undefined || trait.pattern.test(source.slice(start, end).trim()));
	}
	mayHide ||= (hasColour && hasGround) || (hasAnimation && hasFill);
	return isRead ? { low, high, concern, mayHide: mayHide && canHide } : undefined;
}

/** Bits from declarations. */
export function bitsOf(declared: Declarations, definitions?: Definitions): number {
	const concern = concernedBy(declared);
	if (concern === 0) return 0;
	const value = (name: string): string => knownValue(declared, name, definitions);
	let bits = 0;
	if (concern & removedBit) {
		const display = value('display');
		if (display === 'none' || value('content-visibility') === 'hidden') bits |= removedBit;
		else if (display !== '') bits |= displayedBit;
	}
	if (concern & invisibleBit) {
		const visibility = value('visibility');
		if (visibility === 'hidden' || visibility === 'collapse') bits |= invisibleBit;
		else if (visibility === 'visible') bits |= visibleBit;
	}
	if (concern & fadedBit)
		if (isFaint(value('opacity')) ? !moves(value) : isFaint(/^opacity\(([^)]*)\)/.exec(value('filter'))?.[1] ?? ''))
			bits |= fadedBit;
	if (concern & awayBit) {
		const ways = waysOf(declared);
		if ((ways & outsideWay && isOutside(value)) || (ways & clippedWay && isClipped(value))) bits |= awayBit;
		else if (ways & extentWay) bits |= extentOf(value);
	}
	if (concern & sizelessBit) {
		const size = value('font-size');
		if (size !== '') bits |= isTiny(size) ? sizelessBit : relative.test(size) ? 0 : sizedBit;
	}
	if (concern & colourlessBit) {
		const colour = value('-webkit-text-fill-color') || value('color');
		if (colour !== '') bits |= isColourless(colour, value) ? colourlessBit : colouredBit;
	}
	if (concern & keepsLinesBit) {
		const space = value('white-space') || value('white-space-collapse');
		if (/^(?:pre|pre-wrap|break-spaces|preserve)\b/.test(space) && space !== 'pre-line')
			bits |= keepsLinesBit | keepsSpacesBit;
		if (/^(?:pre-line|preserve-breaks)/.test(space)) bits = (bits & ~keepsSpacesBit) | keepsLinesBit;
	}
	if (concern & unselectableBit && value('user-select') === 'none') bits |= unselectableBit;
	return definitions === undefined || (concern & fadedBit) === 0 ? bits : animated(bits, value, definitions);
}

/** A value with the custom properties in it replaced. */
function knownValue(declared: Declarations, name: string, definitions: Definitions | undefined): string {
	const value = declared.get(name)?.value ?? '';
	if (!value.includes('(')) return value;
	const values = definitions?.known;
	let known = values?.get(value);
	if (known === undefined) {
		known = resolve(value, definitions);
		values?.set(value, known);
	}
	return known;
}

function resolve(value: string, definitions: Definitions | undefined): string {
	const known = value.includes('var(') ? withVariables(value, definitions) : value;
	// The only lengths that a calculation must be known for are those of nothing.
	return known.replace(/\b(?:calc\(\s*([-+]?[\d.]+[a-z%]*)\s*\)|(?:calc|min)\(\s*(0)[a-z]*\s*[*,][^()]*\))/g, '$1$2');
}

/** Rounds of replacing variables by values that have variables. */
const maxRounds = 4;
const variable = /var\(\s*(--[\w-]+)\s*(?:,([^()]*(?:\([^()]*\))?[^()]*))?\)/g;

function withVariables(value: string, definitions: Definitions | undefined): string {
	let known = value;
	for (let round = 0; round < maxRounds && known.includes('var('); round++)
		known = known.replace(variable, (_, name: string, other: string | undefined) =>
			(definitions?.variable(name) ?? other ?? 'unset').trim(),
		);
	return known.trim();
}

/** Adds the effects that remain at the end of an animation. */
function animated(bits: number, value: (name: string) => string, definitions: Definitions): number {
	const animation = value('animation');
	if (animation === '' || !/\b(?:forwards|both)\b/.test(`${animation} ${value('animation-fill-mode')}`)) return bits;
	for (const word of animation.split(/[\s,]+/)) {
		const end = /^[a-z_-]/.test(word) ? definitions.endOf(word) : undefined;
		if (end === undefined) continue;
		const last = bitsOf(end, { variable: (name) => definitions.variable(name), endOf: () => undefined });
		const isShown = end.has('opacity') && (last & fadedBit) === 0;
		return ((isShown ? bits & ~fadedBit : bits) | last) & ~displayedBit;
	}
	return bits;
}

const relative = /(?:\d(?:em|%)|inherit|smaller|larger|unset)$/;
const zero = /^[-+]?(?:0+(?:\.0*)?|\.0+)(?:[a-z]+|%)?$/;
const isZero = (value: string): boolean => zero.test(value);

/** Too little opacity to see. */
const faint = 0.02;
const isFaint = (value: string): boolean => {
	const [, amount, percent] = /^([\d.]+)(%?)$/.exec(value) ?? [];
	return amount !== undefined && Number(amount) / (percent === '%' ? 100 : 1) <= faint;
};

/** Letters of a pixel or less. */
const tiny: Readonly<Record<string, number>> = { px: 1, pt: 1, em: 0.1, rem: 0.1, '%': 10, vw: 0.1, vh: 0.1 };

function isTiny(size: string): boolean {
	if (isZero(size)) return true;
	const [, amount, unit = ''] = /^([\d.]+)([a-z]+|%)$/.exec(size) ?? [];
	const limit = tiny[unit];
	return amount !== undefined && limit !== undefined && Number(amount) <= limit;
}

type Value = (name: string) => string;

/** Every reader sees what a script or the style sheet fades or moves in. */
function moves(value: Value): boolean {
	for (const name of ['transition', 'animation', 'will-change', 'transform', 'translate', 'scale']) {
		const own = value(name);
		if (own !== '' && own !== 'none' && own !== 'auto') return true;
	}
	return false;
}

/** How properties can move an element out of sight: the functions that read them. */
const outsideWay = 1;
const clippedWay = 2;
const extentWay = 4;

const ways: ReadonlyMap<string, number> = (() => {
	const found = new Map<string, number>();
	const add = (way: number, names: string): void => {
		for (const name of names.split(' ')) found.set(name, (found.get(name) ?? 0) | way);
	};
	add(outsideWay, 'left top right bottom text-indent letter-spacing margin-left margin-top transform translate');
	add(clippedWay, 'clip clip-path');
	add(extentWay, 'height width max-height max-width transform scale rotate');
	return found;
})();

function waysOf(declared: Declarations): number {
	let bits = 0;
	for (const name of declared.keys()) bits |= ways.get(name) ?? 0;
	return bits;
}

/** Thousands of pixels to the left or above; carousels move their slides by less. */
function isOutside(value: Value): boolean {
	if (value('position') !== 'static')
		for (const name of offsets) {
			const own = value(name);
			if (own !== '' && (isFar(own, 1) || isFarAway(own))) return true;
		}
	if (isFar(value('text-indent'), 1) || isFar(value('letter-spacing'), 0.05)) return true;
	if (/^(?:[1-9]\d\d%|\d{4,}px)/.test(value('text-indent')) && isClipping(value)) return true;
	if (isFar(value('margin-left'), 2) || isFar(value('margin-top'), 2)) return true;
	const moved = /translate(?:x|y|3d)?\(([^)]*)\)/.exec(value('transform'))?.[1];
	const lengths = [...(moved?.split(',') ?? []), ...value('translate').split(' ')];
	return lengths.some((length) => isFar(length.trim(), 2));
}

const offsets: readonly string[] = ['left', 'top', 'right', 'bottom'];
const far = /^-(\d+(?:\.\d+)?)(px|r?em|vw|vh|pt|in|cm|)$/;
const units: Readonly<Record<string, number>> = {
	px: 1,
	em: 16,
	rem: 16,
	vw: 13,
	vh: 8,
	pt: 1.3,
	in: 96,
	cm: 38,
	'': 1,
};
/** Pixels to the left of the page beyond which nothing is visible. */
const outOfSight = 1_900;

function isFar(value: string, times: number): boolean {
	if (!value.startsWith('-')) return false;
	const [, length, unit] = far.exec(value) ?? [];
	return length !== undefined && Number(length) * (units[unit ?? ''] ?? 0) >= outOfSight * times;
}

/** To the right or below by more than any page is wide. */
const isFarAway = (value: string): boolean => /^\d/.test(value) && isFar(`-${value}`, 4);

const nothing = String.raw`0+(?:\.0+)?(?:[a-z]+|%)?`;
const clips: readonly RegExp[] = [
	new RegExp(String.raw`^(?:circle|ellipse)\(\s*${nothing}(?:[\s)]|$)`),
	new RegExp(String.raw`^polygon\((?:\s*(?:nonzero|evenodd)\s*,)?(?:\s*${nothing}\s+${nothing}\s*,?)+\)`),
	/^path\(\s*["']\s*(?:m\s*0[\s,]+0\s*z?)?\s*["']\s*\)/,
	new RegExp(String.raw`^rect\(\s*(?:${nothing}\s+){3}${nothing}\s*\)`),
	new RegExp(String.raw`^xywh\(\s*\S+\s+\S+\s+${nothing}(?:\s|\))`),
];

function isClipped(value: Value): boolean {
	const clip = value('clip');
	if (clip !== '' && /^rect\((?:\s*[01](?:px)?[\s,]*){4}\)$/.test(clip)) return true;
	const path = value('clip-path');
	if (path === '') return false;
	const inset = /^inset\(\s*([^)]*?)\s*(?:round[^)]*)?\)/.exec(path)?.[1];
	if (inset === undefined) return clips.some((pattern) => pattern.test(path));
	const [top = 0, right = top, bottom = top, left = right] = inset.split(/\s+/).map(shareOf);
	return top + bottom >= 100 || left + right >= 100;
}

/** A percentage; lengths that exceed any box count as all of it. */
const shareOf = (length: string): number => {
	const amount = Number.parseFloat(length) || 0;
	return length.endsWith('%') ? amount : amount >= outOfSight ? 100 : 0;
};

const small = /^[01](?:px)?$|^0(?:\.0+)?(?:[a-z]+|%)?$/;

/** `awayBit` for a box without height or width whose content does not overflow, or that is scaled or turned to nothing. */
function extentOf(value: Value): number {
	let bits = 0;
	if (sizes.some((name) => small.test(value(name)))) {
		if (isClipping(value)) {
			if (!moves(value)) return awayBit;
		} else bits = halfBit;
	}
	const transform = value('transform');
	for (const [, name = '', list = ''] of transform.matchAll(/([a-z0-9]+)\(([^)]*)\)/g)) {
		const args = list.split(/[\s,]+/).filter((arg) => arg !== '');
		if (isFlat(name, args)) return awayBit;
	}
	const scale = value('scale');
	if (scale !== '' && isFlat('scale', scale.split(/\s+/))) return awayBit;
	const [, axis, angle] = /^([xy])\s+(\S+)$/.exec(value('rotate')) ?? [];
	return axis !== undefined && isFlat(`rotate${axis}`, [angle ?? '']) ? awayBit : bits;
}

function isFlat(name: string, args: readonly string[]): boolean {
	if (/^scale(?:x|y|3d)?$/.test(name)) return args.slice(0, 2).some(isZero);
	if (name === 'rotatex' || name === 'rotatey') return /^-?(?:90deg|270deg|100grad|0?\.25turn)$/.test(args[0] ?? '');
	if (name !== 'matrix') return false;
	const [a = 1, b = 0, c = 0, d = 1] = args.map(Number);
	return a * d === b * c;
}

const isClipping = (value: Value): boolean => overflows.some((name) => /hidden|clip|scroll|auto/.test(value(name)));

const sizes: readonly string[] = ['height', 'width', 'max-height', 'max-width'];
const overflows: readonly string[] = ['overflow', 'overflow-x', 'overflow-y'];

function isColourless(colour: string, value: Value): boolean {
	const text = colourOf(colour);
	if (text === undefined) return false;
	// A shadow draws the letters, and a ground that is cut to them shines through.
	const shadow = value('text-shadow');
	if (shadow !== '' && shadow !== 'none') return false;
	if (text === transparent) return !value('background-clip').includes('text');
	const ground = value('background-color');
	return ground === 'currentcolor' || isSameColour(text, colourOf(ground));
}
