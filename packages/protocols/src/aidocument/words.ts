import { isUnspaced, segmentEnds } from '../internal/words.ts';

/**
 * Counts the words of markdown: syntax and URLs are taken off, Unicode word segments counted (AMB-29, UAX #29).
 * Scripts that are written without spaces go through `Intl.Segmenter`; for all others the rules of UAX #29 are
 * applied here, some hundred times as fast and alike in every runtime.
 */
export function countWords(markdown: string): number {
	let words = 0;
	const plain = stripMarkdown(markdown).replace(wideRun, (run) => {
		words += (isUnspaced(run) ? [...segmentEnds(run)] : (run.match(word) ?? [])).length;
		return '';
	});
	return words + (plain.match(plainWord)?.length ?? 0);
}

/** What stands between white space and holds more than ASCII. */
const wideRun = /(?<!\S)[!-~]*[^\s!-~]\S*/g;

/** Minutes that reading takes, at 250 words a minute, rounded up; 0 for no words (AMB-29). */
export function readingTime(words: number): number {
	return Math.ceil(words / 250);
}

/**
 * A letter or digit with all that clings to it. An apostrophe, a full stop or a middle dot joins letters (`it's`),
 * a comma, a semicolon, an apostrophe or a full stop joins digits (`3.14`): rules WB5 to WB13b.
 */
const word =
	/[\p{Alpha}\p{Nd}](?:[\p{Alpha}\p{M}\p{Nd}\p{Cf}_]+|(?<=\p{Alpha}[\p{M}\p{Cf}]*)['’‘.·](?=\p{Alpha})|(?<=\p{Nd}[\p{M}\p{Cf}]*)['’‘.,;](?=\p{Nd}))*/gu;

/** The same for ASCII, which most of it is: classes of Unicode are slow. */
const plainWord = /[a-z\d](?:\w+|(?<=[a-z])['.](?=[a-z])|(?<=\d)['.,;](?=\d))*/gi;

/** What makes a line: a fence, a link's definition, both whole; the marker of a list's item. */
const lineStart =
	/^[ \t>]*(?:(?:`{3,}|~{3,}).*$|\[(?!\^)[^\]\n]+\]:[ \t]+\S.*$|(?:[-+*]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)/gm;

/** Each step is linear: no repetition can match the same text in two ways. */
function stripMarkdown(markdown: string): string {
	return markdown
		.replace(lineStart, '')
		.replace(/\[\^[^\]\s]{1,64}\]:?/g, '')
		.replace(/\]\((?:<[^<>\n]*>|[^()\s\\<]*(?:(?:\\.|\([^()\s]*\))[^()\s\\]*)*)(?:\s+"[^"]*")?\)/g, ' ')
		.replace(/(?:https?|ftp):\/\/[!-;=?-~]+/gi, ' ')
		.replace(/<\/?[a-z][^<>]*>/gi, ' ')
		.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi, ' ')
		.replace(/\\([!-/:-@[-`{-~])|[*`~]+/g, '$1');
}
