/** Hebrew, Arabic, Syriac, Thaana and N'Ko, with their presentation forms. */
const rtlLetter = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
const ltrLetter = /[\p{L}\p{N}]/u;

export const isRtlText = (text: string): boolean => rtlLetter.test(text);

/** Whether most letters of a line run from right to left. */
export function isMostlyRtl(text: string): boolean {
	if (!rtlLetter.test(text)) return false;
	let balance = 0;
	for (const character of text) {
		if (rtlLetter.test(character)) balance++;
		else if (/\p{L}/u.test(character)) balance--;
	}
	return balance >= 0;
}

interface Placed {
	readonly text: string;
	readonly x: number;
}

const mirrored: Readonly<Record<string, string>> = {
	'(': ')',
	')': '(',
	'[': ']',
	']': '[',
	'{': '}',
	'}': '{',
	'<': '>',
	'>': '<',
	'«': '»',
	'»': '«',
};

/**
 * Characters by their place on a line, put into the order in which they are read: right to left, and runs of numbers
 * and Latin words inside left to right (a small part of UAX #9, backwards).
 */
export function logicalOrder(placed: readonly Placed[]): string {
	// A ligature of two letters is painted as two at one place, the one that is read last first.
	const visual = placed
		.map((part, at) => ({ ...part, at }))
		.sort((a, b) => b.x - a.x || (/\p{M}/u.test(a.text + b.text) ? a.at - b.at : b.at - a.at));
	let text = '';
	let run: Placed[] = [];
	const flush = () => {
		// White space and signs at the end of such a run are outside of it.
		const tail: Placed[] = [];
		while (run.length > 0 && !ltrLetter.test(run.at(-1)!.text)) tail.unshift(run.pop()!);
		text += [...run]
			.reverse()
			.map((part) => part.text)
			.join('');
		text += tail.map(mirror).join('');
		run = [];
	};
	for (const [at, part] of visual.entries()) {
		// A percent sign belongs to its number.
		const isUnit = /^[%$€£°]$/.test(part.text) && /\p{N}/u.test(visual[at + 1]?.text ?? '');
		const isLtr = isUnit || (ltrLetter.test(part.text) && !rtlLetter.test(part.text));
		if (isLtr || (run.length > 0 && !rtlLetter.test(part.text))) run.push(part);
		else {
			flush();
			text += mirror(part);
		}
	}
	flush();
	return text;
}

const mirror = ({ text }: Placed): string => mirrored[text] ?? text;

const unitFirst = /^(\p{Script=Latin}{1,4})\s+(\p{N}[\p{N}.,]*)$/u;

/** A number and its unit in a cell of a table that runs from right to left: the unit is on the left of the number (UAX #9, N1). */
export const inRtl = <Piece extends { readonly text: string }>(piece: Piece): Piece =>
	unitFirst.test(piece.text) ? { ...piece, text: piece.text.replace(unitFirst, '$2 $1') } : piece;
