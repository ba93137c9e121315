/** A product, or a word of a comment, as it stands in a User-Agent. */
export interface Product {
	readonly name: string;
	readonly version?: string;
	/** Nothing but blanks stands between it and the word before: together they may be one name. */
	readonly follows: boolean;
}

/** An address of the Web; a mention of an agent in it claims nothing. */
const address = /(?:\b[a-z][a-z\d]{1,9}:\/\/|\bwww\.)[^\s;,()"'<>]*/gi;
/** A word with what may stand inside of one: `archive.org_bot/1.0`, `bot@example.com`. Quotes and brackets end it. */
const word = /[\p{L}\p{N}_./@%-]+/gu;
const product = /^([\p{L}\p{N}_][\p{L}\p{N}_.-]*)(?:\/(.*))?$/u;
/** A header in which every character but letters and digits is escaped, as in forms and in logs. */
const escaped = /^[\w.%+*~-]*%2[0-9a-f][\w.%+*~-]*$/i;

/**
 * The products and comment words of a User-Agent, whole and in order; nothing from inside an address. `+` counts as a
 * blank, since logs and forms write it so. Linear in the length of the header.
 */
export function productsOf(userAgent: string): Product[] {
	const text = (escaped.test(userAgent) ? unescapeForm(userAgent) : userAgent).replace(address, ';');
	const found: Product[] = [];
	let end = -1;
	for (const { 0: written, index } of text.matchAll(word)) {
		const parts = product.exec(written.replace(/^[.-]+|[.-]+$/g, ''));
		const follows = end >= 0 && /^[\s+]+$/.test(text.slice(end, index));
		end = -1;
		if (parts === null || /[@%]/.test(written)) continue;
		const [, name = '', version] = parts;
		found.push({ name: name.replace(/[.-]+$/, ''), ...(version && { version }), follows });
		end = index + written.length;
	}
	return found;
}

function unescapeForm(text: string): string {
	try {
		return decodeURIComponent(text.replaceAll('+', ' '));
	} catch {
		return text;
	}
}
