// The figures of a table: what the texts that were found in pages are worth, per set and page type.
import { measuredTypes } from '../src/select/model/classify.ts';
import type { TruthPage } from './pages.ts';
import { mean, pageF1, scoreArticle } from './score.ts';

export interface Outcome {
	readonly page: TruthPage;
	readonly f1: number;
	/** Of the article set. */
	readonly precision: number;
	readonly recall: number;
}

export function outcomeOf(page: TruthPage, text: string): Outcome {
	const { precision = 0, recall = 0 } = page.set === 'article' ? scoreArticle(page.text, text) : {};
	return { page, f1: pageF1(page.set, page.text, text), precision, recall };
}

export interface Figures {
	/** F1 of the article set: see `scoreArticles`. */
	readonly article: number;
	readonly precision: number;
	readonly recall: number;
	/** Mean F1 of the mixed set, by page and by type. */
	readonly mixed: number;
	readonly macro: number;
	readonly types: readonly number[];
}

export function figuresOf(outcomes: readonly Outcome[]): Figures {
	const articles = outcomes.filter(({ page }) => page.set === 'article');
	const mixed = outcomes.filter(({ page }) => page.set === 'mixed');
	const precision = mean(articles.map((one) => one.precision));
	const recall = mean(articles.map((one) => one.recall));
	const types = measuredTypes.map((type) => mean(mixed.filter(({ page }) => page.type === type).map(({ f1 }) => f1)));
	return {
		article: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
		precision,
		recall,
		mixed: mean(mixed.map(({ f1 }) => f1)),
		macro: mean(types),
		types,
	};
}

/** What rules are chosen by: articles, mixed pages and their types count alike. */
export const goal = ({ article, mixed, macro }: Figures): number => (article + mixed + macro) / 3;

export const columnTitles = ['', 'article set F1', 'precision', 'recall', 'mixed set F1', 'macro', ...measuredTypes];

export const rowOf = ({ article, precision, recall, mixed, macro, types }: Figures): string[] =>
	[article, precision, recall, mixed, macro, ...types].map((value) => value.toFixed(3));
