import { InvalidArgumentError } from 'commander';

/** Reads a whole number that is at least `least`. */
export function wholeNumber(least: number): (text: string) => number {
	return (text) => {
		const value = Number(text);
		if (!/^\d+$/.test(text.trim()) || !Number.isSafeInteger(value) || value < least) {
			throw new InvalidArgumentError(`a whole number of at least ${least} is wanted.`);
		}
		return value;
	};
}

/** Reads seconds, decimals allowed, and gives milliseconds. */
export function seconds(text: string): number {
	const value = Number(text);
	if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
		throw new InvalidArgumentError('a number of seconds is wanted, 0 or more.');
	}
	return value * 1000;
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
