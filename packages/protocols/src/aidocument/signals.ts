import type { Heading, SignalsInfo } from './types.ts';
import { countWords, readingTime } from './words.ts';

/** Input of the signals: only the document itself (AIWebIndex 2.0 §4.2 signals). */
export interface SignalSource {
	readonly markdown: string;
	readonly headings?: readonly Pick<Heading, 'level'>[];
	/** The page holds at least one non-empty `application/ld+json` block, readable or not. */
	readonly hasJsonLd: boolean;
}

/** Computes the whole `signals` group. */
export function computeSignals(source: SignalSource): Required<SignalsInfo> {
	const words = countWords(source.markdown);
	return {
		word_count: words,
		reading_time: readingTime(words),
		has_json_ld: source.hasJsonLd,
		heading_hierarchy_ok: isHeadingHierarchyOk(source.headings ?? []),
	};
}

/**
 * There is a heading, the first is h1 or h2, and no heading skips a level on the way down.
 * Only steps to a deeper level count: h2, h3, h4, h2 is well formed, as it is in practice;
 * a reader who takes the draft's "adjacent levels" both ways would refuse the last step.
 */
export function isHeadingHierarchyOk(headings: readonly Pick<Heading, 'level'>[]): boolean {
	const [first] = headings;
	if (first === undefined || first.level > 2) return false;
	return headings.every(({ level }, index) => level <= (headings[index - 1]?.level ?? level) + 1);
}
