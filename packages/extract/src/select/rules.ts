/** The hand-written rules around the learned choice: each can be left out, to measure what it gains. */
export const RULES = [
	'simple',
	'teasers',
	'related',
	'trust',
	'reviews',
	'declaredNeeds',
	'footer',
	'title',
	'reference',
	'modal',
	'least',
	'data',
	'contents',
	'controls',
	'linkLists',
	'linkedSeries',
	'replies',
	'appeals',
	'otherArticles',
	'tidy',
	'furniture',
	'comments',
	'units',
	'announced',
	'gaps',
	'ends',
	'holes',
	'rankings',
	'needed',
	'notes',
	'heads',
	'copies',
	'fallback',
] as const;
export type RuleName = (typeof RULES)[number];

/** A choice that is made to measure rules. */
export interface Trial {
	/** The rules that are left out. */
	readonly without: ReadonlySet<RuleName>;
	/** The rules that may have changed something: without any other the choice is the same. */
	readonly fired: Set<RuleName>;
}
