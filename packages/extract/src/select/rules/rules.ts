/**
 * The hand-written rules around the learned selection. Each can be left out, to measure its gain.
 *
 * The gains, in this order: F1 of articles, mean F1 of mixed pages, mean of their types; in thousandths, the figure with
 * the rule less that without it, on pages that the models did not see, the mean of three seeds. `scripts/folds.ts`
 * measures them. A gain below 0.5 is noise. Rules without a gain there stay for pages that the set does not contain.
 */
export const selectionRules = [
	/** A small page is its `main`. −0.3, −0.2, −0.1; too little text to measure, in 40 fixtures and offered parts. */
	'simple',
	/** Blocks of one role are judged together. 3.0, 0.6, 0.4. */
	'roles',
	/** Beginnings of other articles are doubted. 3.7, −0.7, −0.2. */
	'teasers',
	/** Parts below headings such as "Related" are doubted. 4.3, 0.0, 0.0. */
	'related',
	/** Asides and captions are doubted, embedded posts trusted. 8.1, 0.1, −0.1. */
	'trust',
	/** Reviews of products are doubted. 0.0, 1.3, 1.7. */
	'reviews',
	/** Declared ingredients are kept. No page of the set; without it 60 of 2,331 ingredients are lost, with it none. */
	'declaredNeeds',
	/** Page footers are dropped. 0.0, 3.8, 6.0. */
	'footer',
	/** "Read more: …" is doubted. 2.3, 0.4, 0.2. */
	'reference',
	/** A block of an article needs this probability at least. 4.1, −0.1, 0.0. */
	'least',
	/** Data shown as text is dropped. No page of the set. */
	'data',
	/** Menus of documentation sites are dropped. 0.0, 0.3, 0.5, from one page; on 4 of 148 documentation pages. */
	'siteMenus',
	/** Tables of contents are dropped. 0.0, 0.0, 0.0; on 13 of 148 documentation pages. */
	'contents',
	/** Buttons that each card repeats, and filters, are dropped. 0.0, 0.5, 0.8. */
	'controls',
	/** Lists of headlines in layout tables are dropped. No page of the set. */
	'linkLists',
	/** Rails of headlines and shelves of products are dropped. 0.2, 0.8, 1.5. */
	'linkedSeries',
	/** Replies after an article are dropped. 11.1, 0.0, 0.0. */
	'replies',
	/** Appeals to subscribe or donate are dropped. 0.4, −0.3, −0.1; the truth of some pages has them. */
	'appeals',
	/** Other articles of an endless page are dropped. No page of the set. */
	'otherArticles',
	/** The next four together. 1.5, 3.5, 4.8. */
	'tidy',
	/** Menus, breadcrumbs and page headers are dropped. 0.0, 0.2, 0.4. */
	'furniture',
	/** Parts named comments after an article are dropped. 1.2, 1.3, 1.0. */
	'comments',
	/** Tables, lists and code are kept or dropped as a whole. 0.1, 2.2, 3.7. */
	'units',
	/** A paragraph between two kept ones is kept. 0.3, 0.0, 0.1. */
	'gaps',
	/** In a document, what stands between kept blocks is kept. 0.0, 0.8, 0.4; on 32 of 148 documentation pages. */
	'holes',
	/** The `main` of a short page of documentation is kept whole. 0.0, 0.3, 0.5; two pages gain, one loses. */
	'short',
	/** Names in rankings are kept. 0.0, 0.0, −0.1; four pages of the set have any. */
	'rankings',
	/** Short lists before or after steps are kept. No page of the set; without it 118 of 2,331 ingredients are lost, with it none. */
	'needed',
	/** Notes that a mark in the text links to are kept. 0.0, 0.0, 0.0; on 12 of 148 documentation pages. */
	'notes',
	/** Headings of kept text are kept. 0.9, 0.6, 0.5. */
	'heads',
	/** A text that repeats a kept one is dropped. 0.0, 1.4, 1.8. */
	'copies',
	/** Quotations of what the page says itself are dropped. −0.1, 0.3, 0.3. */
	'quotations',
	/** A page with text outside menus is never empty. 0.0, −0.2, −0.3: one page. */
	'fallback',
] as const;
export type RuleName = (typeof selectionRules)[number];

/** A selection that is made to measure rules. */
export interface Trial {
	/** The rules that are left out. */
	readonly without: ReadonlySet<RuleName>;
	/** The rules that may have changed something: without any other the selection is the same. */
	readonly fired: Set<RuleName>;
}
