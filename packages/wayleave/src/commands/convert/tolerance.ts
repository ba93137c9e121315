import { InvalidArgumentError } from 'commander';

/** How much may fail before the exit code says so: a number of pages, or a share from 0 to 1 of all. */
export type Tolerance = { readonly pages: number } | { readonly share: number };

/** Reads `20` or `0.5%`. */
export function tolerance(text: string): Tolerance {
	const [, number, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim()) ?? [];
	const value = Number(number);
	if (number === undefined || (percent === '' && !Number.isSafeInteger(value)) || (percent === '%' && value > 100))
		throw new InvalidArgumentError('expected a number of pages, such as 20, or a share of all, such as 0.5%.');
	return percent === '%' ? { share: value / 100 } : { pages: value };
}

export function isTolerated(allowed: Tolerance | undefined, failed: number, all: number): boolean {
	if (allowed === undefined) return failed === 0;
	return failed <= ('pages' in allowed ? allowed.pages : allowed.share * all);
}
