/** Three components from 0 to 255; a colour that is not read into components, by its text. */
export type Colour = readonly [red: number, green: number, blue: number] | string;

export const transparent = 'transparent';

const named: Readonly<Record<string, string>> = {
	white: '#ffffff',
	black: '#000000',
	red: '#ff0000',
	lime: '#00ff00',
	green: '#008000',
	blue: '#0000ff',
	yellow: '#ffff00',
	cyan: '#00ffff',
	aqua: '#00ffff',
	magenta: '#ff00ff',
	fuchsia: '#ff00ff',
	gray: '#808080',
	grey: '#808080',
	silver: '#c0c0c0',
	maroon: '#800000',
	navy: '#000080',
	olive: '#808000',
	purple: '#800080',
	teal: '#008080',
	orange: '#ffa500',
	snow: '#fffafa',
	ivory: '#fffff0',
};

/** Components that differ by no more look the same. */
const same = 6;
/** Too little of a colour to see. */
const faint = 0.02;
/** Words that say nothing about a colour by themselves. */
const unknown = /^(?:inherit|initial|unset|revert\S*|currentcolor|none|var|url|image|linear|radial|conic|repeating)\b/;

/** A fully known colour. */
export function colourOf(value: string): Colour | undefined {
	if (value === '' || unknown.test(value)) return undefined;
	if (value === transparent) return transparent;
	const hex = /^#([\da-f]{3,8})$/.exec(named[value] ?? value)?.[1];
	if (hex !== undefined) return fromHex(hex);
	const [, name, list] = /^([a-z]+)\(([^()]*)\)$/.exec(value) ?? [];
	if (name === undefined || list === undefined) return /^[a-z]+$/.test(value) ? value : undefined;
	const parts = list.split(/[\s,/]+/).filter((part) => part !== '');
	const alpha = list.includes('/') || /^(?:rgba|hsla|rgb|hsl)$/.test(name) ? parts[3] : undefined;
	if (alpha !== undefined) {
		const amount = Number.parseFloat(alpha) / (alpha.endsWith('%') ? 100 : 1);
		if (amount <= faint) return transparent;
		if (amount < 1) return undefined;
	}
	const numbers = parts.slice(0, 3).map(Number.parseFloat);
	if (numbers.length < 3 || numbers.some(Number.isNaN)) return undefined;
	if (name.startsWith('rgb')) {
		const [red = 0, green = 0, blue = 0] = numbers.map((amount, i) =>
			parts[i]?.endsWith('%') ? amount * 2.55 : amount,
		);
		return [red, green, blue];
	}
	return name.startsWith('hsl') ? fromHsl(numbers) : value;
}

function fromHex(hex: string): Colour | undefined {
	const digits = hex.length < 5 ? [...hex].map((digit) => digit + digit).join('') : hex;
	if (digits.length === 8 && Number.parseInt(digits.slice(6), 16) / 255 <= faint) return transparent;
	if (digits.length !== 6 && !(digits.length === 8 && digits.endsWith('ff'))) return undefined;
	const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
	return [red, green, blue];
}

/** (CSS Color 4 §7.1) */
function fromHsl([hue = 0, saturation = 0, lightness = 0]: readonly number[]): Colour {
	const light = lightness / 100;
	const reach = (saturation / 100) * Math.min(light, 1 - light);
	const part = (n: number): number => {
		const place = (((n + hue / 30) % 12) + 12) % 12;
		return 255 * (light - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1)));
	};
	return [part(0), part(8), part(4)];
}

export function isSameColour(one: Colour, other: Colour | undefined): boolean {
	if (typeof one === 'string' || typeof other === 'string' || other === undefined) return one === other;
	return one.every((part, i) => Math.abs(part - (other[i] ?? 0)) <= same);
}
