/** What a page says, apart from where it leads. */
export interface Prose {
	/** 32 bits; the same for texts that differ only in links, times and what machines have drawn. */
	readonly hash: number;
	readonly words: number;
}

/** `[text](address)` and `![text](address)`; neither part can hold its own end, so that it reads once. */
const link = /(!?)\[([^[\]]*)\]\(([^()\s]*)(?:\s+"[^"]*")?\)/g;
const word = /[\p{L}\p{N}]+/gu;
const time = /\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\b/g;
/** What a machine has drawn: a long number, or digits among letters. */
const drawn = /^(?:\d{10,}|(?=\D*\d)(?=[^a-z]*[a-z])[\da-z]{8,})$/;

/**
 * The prose of a page: title and main text, without the text of links, which lists and menus are made of. Images count,
 * since they may be all in which two pages differ.
 */
export function proseOf(title: string, markdown: string): Prose {
	const withImages = markdown.replace(link, (_, image, text, address) => (image === '' ? '' : ` ${text} ${address} `));
	// An image that is a link has left its brackets.
	const text = withImages
		.replace(link, ' ')
		.replace(/\bhttps?:\/\/\S+/g, ' ')
		.replace(time, ' ');
	let hash = 0x811c9dc5;
	let words = 0;
	for (const [each] of `${title}\n${text}`.toLowerCase().matchAll(word)) {
		if (drawn.test(each)) continue;
		words++;
		for (let at = 0; at < each.length; at++) hash = Math.imul(hash ^ each.charCodeAt(at), 0x01000193);
		hash = Math.imul(hash ^ 32, 0x01000193);
	}
	return { hash: hash | 0, words };
}
