import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { needsShared, sharedPath } from '../../../scripts/shared.ts';
import { hash, loadPages, siteOf } from '../scripts/pages.ts';
import { mean, scoreArticles, scoreMixed } from '../scripts/score.ts';
import { extract } from './extract.ts';

const scorer = sharedPath('data/pages/score.mjs');

/** What a change must not fall below. The weights know these pages: scripts/folds.ts measures unseen ones. */
const floor = { f1: 0.97, precision: 0.955, mixed: 0.855 };

describe.skipIf(scorer === undefined)(`main content against pages with known text ${needsShared}`, () => {
	it('article set', { timeout: 300_000 }, () => {
		const score = scoreArticles(
			loadPages('article').map((page) => ({ truth: page.text, found: extract(page.html(), page.url).text })),
		);
		expect(score.f1).toBeGreaterThanOrEqual(floor.f1);
		expect(score.precision).toBeGreaterThanOrEqual(floor.precision);
	});

	it('a quarter of the mixed set', { timeout: 300_000 }, () => {
		const pages = loadPages('mixed').filter((page) => page.independent && hash(`aside:${siteOf(page)}`) % 4 === 0);
		const scores = pages.map((page) => scoreMixed(page.text, extract(page.html(), page.url).text).f1);
		expect(mean(scores)).toBeGreaterThanOrEqual(floor.mixed);
	});

	it('our scorer agrees with the one beside the pages', { timeout: 60_000 }, () => {
		const truth = {
			a: { text: 'The quick brown fox jumps over the lazy dog. It was not amused.', type: 'article' },
			b: { text: 'Eins zwei drei, vier fünf sechs', type: 'forum' },
			c: { text: '古い橋が三年ぶりに開通し、多くの人々が集まった', type: 'article' },
			d: { text: 'nothing of this is found', type: 'product' },
		};
		const found = {
			a: 'A quick brown fox jumps over the lazy dog. Share this. It was not amused.',
			b: 'eins zwei drei vier',
			c: '古い橋が三年ぶりに開通し、多くの人々が集まった',
		} as Record<string, string>;
		const folder = mkdtempSync(join(tmpdir(), 'score-'));
		try {
			writeFileSync(join(folder, 'truth.json'), JSON.stringify(truth));
			writeFileSync(join(folder, 'found.json'), JSON.stringify(found));
			const run = (set: string): string =>
				execFileSync(
					process.execPath,
					[scorer!, set, join(folder, 'found.json'), '--truth', join(folder, 'truth.json')],
					{ encoding: 'utf8' },
				);
			const pairs = Object.entries(truth).map(([id, { text }]) => ({ truth: text, found: found[id] ?? '' }));
			const article = scoreArticles(pairs);
			expect(run('article')).toContain(
				`F1 ${article.f1.toFixed(4)}  precision ${article.precision.toFixed(4)}  recall ${article.recall.toFixed(4)}`,
			);
			const mixed = pairs.map((pair) => scoreMixed(pair.truth, pair.found));
			const line = run('mixed')
				.split('\n')
				.find((text) => text.startsWith('independent'));
			expect(line).toContain(`F1 ${mean(mixed.map((score) => score.f1)).toFixed(4)}`);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});
});
