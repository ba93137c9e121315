const blocks = new Set(
	'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul'.split(
		' ',
	),
);

/** Whether an element of this name begins and ends lines of its own. */
export function isBlockTag(tag: string): boolean {
	return blocks.has(tag);
}
