// Pages with ground truth, for training and for measuring. They lie beside a checkout, never in it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sharedPath } from '../../../scripts/shared.ts';

export type Set = 'article' | 'mixed';

export interface TruthPage {
	set: Set;
	id: string;
	url: string;
	/** Page type of the mixed set; the article set has articles only. */
	type: string;
	/** The truth was written by people, not drafted by another extractor. */
	independent: boolean;
	text: string;
	title?: string;
	author?: string;
	date?: string;
	html(): string;
}

/** FNV-1a: pages are divided in the same way on every machine. */
export function hash(text: string): number {
	let h = 0x811c9dc5;
	for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193) >>> 0;
	h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d) >>> 0;
	return (h ^ (h >>> 12)) >>> 0;
}

/** Pages are divided by host, or by id where there is none, so that one site is never on both sides. */
export function siteOf(page: { id: string; url: string }): string {
	return URL.canParse(page.url) ? new URL(page.url).hostname.replace(/^www\./, '') : page.id;
}

interface Row {
	url?: string | null;
	type?: string;
	independent?: boolean;
	text?: string;
	title?: string | null;
	author?: string | null;
	date?: string | null;
}

export function loadPages(set: Set): TruthPage[] {
	const file = sharedPath(`data/pages/${set}/truth.json`);
	if (file === undefined) return [];
	const truth = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Row>;
	return Object.entries(truth).map(([id, row]) => {
		const url = row.url ?? `https://unknown.example/${id}`;
		return {
			set,
			id,
			url,
			type: row.type ?? 'article',
			independent: row.independent !== false,
			text: row.text ?? '',
			...(row.title ? { title: row.title } : {}),
			...(row.author ? { author: row.author } : {}),
			...(row.date ? { date: row.date } : {}),
			html: () => gunzipSync(readFileSync(join(file, '..', 'html', `${id}.html.gz`))).toString('utf8'),
		};
	});
}

/** The pages that models are trained on and figures are quoted of: those whose truth was written by people. */
export const loadQuoted = (): TruthPage[] =>
	[...loadPages('article'), ...loadPages('mixed')].filter((page) => page.independent);
