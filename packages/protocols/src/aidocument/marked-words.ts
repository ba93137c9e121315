import { isUnspaced, segmentEnds } from '../internal/words.ts';

// Words by the rules of Markdown and Unicode, each step an expression over the whole text: `countWords` asks here for the
// lines that it cannot read in one pass.

/** The words of Markdown without its syntax and addresses. */
export function wordsOfMarkdown(markdown: string): number {
	return wordsOfPlain(withoutSigns(withoutTags(withoutTargets(markdown))));
}

/** The same for one line; undefined if a link or a tag that begins in it may end in a later one. */
export function wordsOfLine(line: string): number | undefined {
	const inText = withoutTargets(line);
	if (inText.includes('](')) return undefined;
	const text = withoutTags(inText);
	return openTag.test(text) ? undefined : wordsOfPlain(withoutSigns(text));
}

/** The words of a run between white space with characters beyond ASCII. */
export function wordsOfRun(run: string): number {
	const text = withoutSigns(run);
	if (!isUnspaced(text)) return text.match(word)?.length ?? 0;
	let words = 0;
	for (const _ of segmentEnds(text)) words++;
	return words;
}

const openTag = /<\/?[a-z][^<>]*$/i;

function wordsOfPlain(text: string): number {
	let words = 0;
	const plain = text.replace(wideRun, (run) => {
		words += (isUnspaced(run) ? [...segmentEnds(run)] : (run.match(word) ?? [])).length;
		return '';
	});
	return words + (plain.match(plainWord)?.length ?? 0);
}

/** A run between white space with characters beyond ASCII. */
const wideRun = /(?<!\S)[!-~]*[^\s!-~]\S*/g;

/**
 * A letter or digit with all that clings to it. An apostrophe, a full stop or a middle dot joins letters (`it's`),
 * a comma, a semicolon, an apostrophe or a full stop joins digits (`3.14`): rules WB5 to WB13b.
 */
const word =
	/[\p{Alpha}\p{Nd}](?:[\p{Alpha}\p{M}\p{Nd}\p{Cf}_]+|(?<=\p{Alpha}[\p{M}\p{Cf}]*)['’‘.·](?=\p{Alpha})|(?<=\p{Nd}[\p{M}\p{Cf}]*)['’‘.,;](?=\p{Nd}))*/gu;

/** The same for ASCII, which most of it is: classes of Unicode are slow. */
const plainWord = /[a-z\d](?:\w+|(?<=[a-z])['.](?=[a-z])|(?<=\d)['.,;](?=\d))*/gi;

/** Markup at the start of a line: a whole fence or link definition; the marker of a list item. */
const lineStart =
	/^[ \t>]*(?:(?:`{3,}|~{3,}).*$|\[(?!\^)[^\]\n]+\]:[ \t]+\S.*$|(?:[-+*]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)/gm;

// Each step is linear: no repetition can match the same text in two ways.

/** Without what begins a line, references to notes, and the targets of links. */
function withoutTargets(markdown: string): string {
	return (
		markdown
			.replace(lineStart, '')
			.replace(/\[\^[^\]\s]{1,64}\]:?/g, '')
			// The target of a link, with one level of parentheses, and its title.
			.replace(/\]\((?:<[^<>\n]*>|[^()\s\\<]*(?:(?:\\.|\([^()\s]*\))[^()\s\\]*)*)(?:\s+"[^"]*")?\)/g, ' ')
	);
}

function withoutTags(markdown: string): string {
	return markdown.replace(/(?:https?|ftp):\/\/[!-;=?-~]+/gi, ' ').replace(/<\/?[a-z][^<>]*>/gi, ' ');
}

function withoutSigns(markdown: string): string {
	return markdown
		.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi, ' ')
		.replace(/\\([!-/:-@[-`{-~])|[*`~]+/g, '$1');
}
