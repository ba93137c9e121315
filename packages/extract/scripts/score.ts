// The two measures of the page sets (public article extraction benchmark; WCXB), on our side.
import { random } from './boost.ts';

export interface Score {
	f1: number;
	precision: number;
	recall: number;
}

const words = (text: string): string[] => text.match(/[\p{L}\p{N}_]+/gu) ?? [];

function bag(items: Iterable<string>): Map<string, number> {
	const counts = new Map<string, number>();
	for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
	return counts;
}

function common(a: Map<string, number>, b: Map<string, number>): number {
	let both = 0;
	for (const [key, count] of a) both += Math.min(count, b.get(key) ?? 0);
	return both;
}

const harmonic = (p: number, r: number): number => (p + r > 0 ? (2 * p * r) / (p + r) : 0);

function shingles(text: string): string[] {
	const tokens = words(text);
	if (tokens.length === 0) return [];
	const count = Math.max(1, tokens.length - 3);
	return Array.from({ length: count }, (_, i) => tokens.slice(i, i + 4).join('\0'));
}

/** Shared 4-word shingles, case kept. `undefined` where a page does not count: nothing found, or nothing to find. */
export function scoreArticle(truth: string, found: string): { precision?: number; recall?: number } {
	const expected = shingles(truth);
	const actual = shingles(found);
	if (expected.length === 0 && actual.length === 0) return {};
	const both = common(bag(expected), bag(actual));
	const precision = actual.length > 0 ? { precision: both / actual.length } : {};
	const recall = expected.length > 0 ? { recall: both / expected.length } : {};
	return { ...precision, ...recall };
}

/** Shared words, lower case, of one page. */
export function scoreMixed(truth: string, found: string): Score {
	const expected = words(truth.toLowerCase());
	const actual = words(found.toLowerCase());
	if (expected.length === 0 || actual.length === 0) {
		const value = expected.length === actual.length ? 1 : 0;
		return { f1: value, precision: value, recall: value };
	}
	const both = common(bag(expected), bag(actual));
	const precision = both / actual.length;
	const recall = both / expected.length;
	return { precision, recall, f1: harmonic(precision, recall) };
}

export const mean = (values: readonly number[]): number =>
	values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Precision and recall are averaged over the pages, F1 is their harmonic mean. */
export function scoreArticles(pairs: readonly { truth: string; found: string }[]): Score {
	const scores = pairs.map(({ truth, found }) => scoreArticle(truth, found));
	const precision = mean(scores.flatMap((score) => score.precision ?? []));
	const recall = mean(scores.flatMap((score) => score.recall ?? []));
	return { precision, recall, f1: harmonic(precision, recall) };
}

/** F1 of one page by the measure of its set. */
export function pageF1(set: 'article' | 'mixed', truth: string, found: string): number {
	if (set === 'mixed') return scoreMixed(truth, found).f1;
	const { precision = 0, recall = 0 } = scoreArticle(truth, found);
	return harmonic(precision, recall);
}

/** 95 % interval of a figure, by resampling the pages. */
export function resampled<T>(
	pages: readonly T[],
	figure: (pages: readonly T[]) => number,
): [low: number, high: number] {
	const rand = random(7);
	const figures = Array.from({ length: 400 }, () =>
		figure(pages.map(() => pages[Math.floor(rand() * pages.length)]!)),
	).sort((x, y) => x - y);
	return [figures[9]!, figures[389]!];
}
