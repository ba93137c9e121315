import type { Evidence, Statement } from './types.ts';

/** Limits of a verdict, so that a site cannot make it grow by repeating itself. */
export const verdictLimits = {
	/** Lines in `because` and in `also`, and pairs in `contradicts`. */
	lines: 100,
	/** UTF-16 units of a line's text. */
	text: 500,
} as const;

/**
 * Folds items with the same statement: the first keeps its line, and counts the others. Linear: each key is looked up
 * once.
 *
 * @param keyOf equal for items with the same effect, mechanism, source and path
 */
export function fold<Item extends { readonly evidence: Evidence }>(
	items: readonly Item[],
	keyOf: (item: Item) => string,
): Item[] {
	if (items.length < 2) return [...items];
	const groups = new Map<string, { first: Item; repeated: number }>();
	for (const item of items) {
		const group = groups.get(keyOf(item));
		if (group === undefined) groups.set(keyOf(item), { first: item, repeated: 0 });
		else group.repeated++;
	}
	return Array.from(groups.values(), ({ first, repeated }) =>
		repeated === 0 ? first : { ...first, evidence: { ...first.evidence, repeated } },
	);
}

/** Statements about one use of one page, folded by everything that affects the result. */
export const foldStatements = (statements: readonly Statement[]): readonly Statement[] =>
	statements.length < 2
		? statements
		: fold(
				statements,
				({ effect, evidence, limits }) =>
					`${effect} ${evidence.mechanism} ${evidence.source} ${limits ? JSON.stringify(limits) : ''}`,
			);

/** A line shortened enough for every verdict to carry it. */
export function shortened(evidence: Evidence): Evidence {
	const { text } = evidence;
	return text.length <= verdictLimits.text
		? evidence
		: { ...evidence, text: `${text.slice(0, verdictLimits.text - 1)}…` };
}
