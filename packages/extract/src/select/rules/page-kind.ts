/** Facts about the kind of page. */
export interface PageKind {
	/** Replies are content. */
	readonly isThread: boolean;
	/** Code and data are content. */
	readonly isDocumentation: boolean;
	/** It may be documentation, and is likely no article, list or thread. */
	readonly mayBeDocumentation: boolean;
	/** The page declares itself one article, or shows one product. */
	readonly isDeclaredArticle: boolean;
	readonly isProduct: boolean;
	/** Its entries are the content. */
	readonly isList: boolean;
	readonly isHome: boolean;
}
