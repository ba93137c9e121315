/** Address patterns that a crawl has learned for one host. */
export interface LearnedHost {
	readonly host: string;
	/** Parameters (`?ref`) and folders (`/shop/*`) that do not change a page. */
	readonly idle: readonly {
		readonly part: string;
		/** Comparisons with equal pages, and how many of those pages named the other address themselves. */
		readonly alike: number;
		readonly said: number;
		/** Addresses skipped. */
		readonly leftOut: number;
	}[];
	/** Address forms that have stopped bringing new content. */
	readonly exhausted: readonly {
		readonly form: string;
		readonly visits: number;
		readonly fresh: number;
		readonly leftOut: number;
	}[];
	/** Rendered routes after `#` that showed their page itself, and those skipped because of that. */
	readonly routes?: { readonly same: number; readonly leftOut: number };
	/** Pages that the site also sends for other addresses. */
	readonly shells: readonly { readonly page: string; readonly copies: number; readonly leftOut: number }[];
}

/** The address patterns and aliases in a store. */
export interface LearnedAddresses {
	readonly hosts: readonly LearnedHost[];
	/** The last host of a part; undefined when there are no more. */
	readonly next?: string;
	/** With a part of the hosts: at most 10,000 are counted. */
	readonly aliases: number;
	readonly examples: readonly { readonly url: string; readonly page: string }[];
}
