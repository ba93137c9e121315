/** Characters of text; a page that has them says something without its scripts. */
const enoughText = 600;
/** A page with less than this says next to nothing. */
const littleText = 200;

/** The element that a framework fills, still empty. */
const emptyRoot =
	/<(?:div|main|section)\b[^>]*\bid=["']?(?:root|app|__next|__nuxt|___gatsby|svelte|q-app|react-root|app-root|mount|application)["']?[^>]*>\s*(?:<!--[\s\S]{0,200}?-->\s*)?<\/(?:div|main|section)>|<(?:app-root|ng-app|my-app)\b[^>]*>\s*<\/|<body\b[^>]*>\s*(?:<noscript\b[\s\S]{0,2000}?<\/noscript>\s*)?<script\b/i;
/** A `<noscript>` that asks for JavaScript; bounded, so that an unclosed one costs no more than 2,000 steps. */
const askForScripts = /<noscript\b[^>]*>(?:(?!<\/noscript>)[\s\S]){0,2000}?(?:javascript|enable\s+js)/i;
/** A script that runs, not one that holds JSON or a template. */
const hasScript = /<script\b(?![^>]*type=["']?(?:application\/(?:ld\+)?json|text\/(?:template|html|x-))[^>]*>)/i;

/**
 * Whether a page shows its content only once its scripts have run: it has scripts, little text, and a place for the
 * content that is empty, or says that it wants scripts. Content that was found in the state the page brings along counts
 * as text: such a page needs no browser.
 *
 * @param text the main content, as far as it was found
 */
export function dependsOnScripts(html: string, text: string): boolean {
	// Blocks of the text have no white space to speak of: of a long one the beginning is enough.
	if (shownLength(text.slice(0, 2 * enoughText)) >= enoughText) return false;
	const length = shownLength(text);
	if (length >= enoughText || !hasScript.test(html)) return false;
	return length < littleText || emptyRoot.test(html) || askForScripts.test(html);
}

/** Whether a page of which only the Markdown is left may be such a page. */
export const mayDependOnScripts = (markdown: string): boolean => shownLength(markdown) < 2 * enoughText;

/** Characters of a text as it is shown: a run of white space is one, and none at the ends. */
export function shownLength(text: string): number {
	let length = 0;
	let isAfterSpace = true;
	for (let at = 0; at < text.length; at++) {
		const isSpace = isSpaceAt(text, at);
		if (!isSpace || !isAfterSpace) length++;
		isAfterSpace = isSpace;
	}
	return isAfterSpace && length > 0 ? length - 1 : length;
}

function isSpaceAt(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	if (code <= 0x20) return code === 0x20 || (code >= 9 && code <= 13);
	return (code === 0xa0 || code >= 0x1680) && wideSpace.test(text.charAt(at));
}

const wideSpace = /\s/;
