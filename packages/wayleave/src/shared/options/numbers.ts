import { InvalidArgumentError } from 'commander';

/** Reads a whole number that is at least `least`. */
export function wholeNumber(least: number): (text: string) => number {
	return (text) => {
		const value = Number(text);
		if (!/^\d+$/.test(text.trim()) || !Number.isSafeInteger(value) || value < least) {
			throw new InvalidArgumentError(`expected a whole number of at least ${least}.`);
		}
		return value;
	};
}

/** Reads the number of a port; 0 is any free one. */
export function port(text: string): number {
	if (!/^\d{1,5}$/.test(text.trim()) || Number(text) > 65_535)
		throw new InvalidArgumentError('expected a port: a number from 0 to 65535.');
	return Number(text);
}

/** Reads seconds, decimals allowed, and gives milliseconds. */
export function seconds(text: string): number {
	return atLeastZero(text, 'seconds') * 1000;
}

function atLeastZero(text: string, unit: string): number {
	const value = Number(text);
	if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
		throw new InvalidArgumentError(`expected a number of ${unit}, 0 or more.`);
	}
	return value;
}

/** Reads days, decimals allowed, and gives milliseconds. */
export function days(text: string): number {
	return atLeastZero(text, 'days') * 86_400_000;
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a span such as `6h`, `90s` or `1d12h`, and gives milliseconds. */
export function span(text: string): number {
	const parts = [...text.matchAll(/(\d+(?:\.\d+)?)([smhd])/g)];
	const value = parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0), 0);
	if (parts.map(([part]) => part).join('') !== text.trim() || value < 1000) {
		throw new InvalidArgumentError('expected a time span such as 6h, 30m or 1d12h, at least one second.');
	}
	return value;
}

/** Reads a share from 0 to 1. */
export function share(text: string): number {
	const value = Number(text);
	if (text.trim() === '' || !(value >= 0 && value <= 1)) {
		throw new InvalidArgumentError('expected a number from 0 to 1.');
	}
	return value;
}

/** Collects a repeated option whose values may hold commas, such as file names. */
export function each(text: string, earlier: readonly string[] = []): string[] {
	return earlier.includes(text) ? [...earlier] : [...earlier, text];
}

/** Collects a repeated option, and comma-separated values within one. */
export function list(text: string, earlier: readonly string[] = []): string[] {
	const values = text.split(',').map((value) => value.trim());
	return [...earlier, ...values.filter((value) => value !== '')];
}

/** For `--store` that can be given several times: the databases of one crawl. */
export const stores = (text: string, before?: string): string => (before === undefined ? text : `${before},${text}`);
