/** Scripts that set no space between words. */
const unspaced =
	/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tai_Tham}\p{sc=Tai_Le}\p{sc=New_Tai_Lue}]/u;

export const isUnspaced = (text: string): boolean => unspaced.test(text);

/** The segmenter's time grows faster than its text. A word that a cut divides counts as two, at worst one too many. */
const pieceLength = 256;

let segmenter: Intl.Segmenter | undefined;

/** Where each word of a text ends as Unicode segments it (UAX #29), one after the other. */
export function* segmentEnds(text: string): Generator<number> {
	segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
	for (let at = 0; at < text.length; ) {
		const end = at + pieceLength - (isLowSurrogate(text.charCodeAt(at + pieceLength)) ? 1 : 0);
		for (const { segment, index, isWordLike } of segmenter.segment(text.slice(at, end)))
			if (isWordLike) yield at + index + segment.length;
		at = end;
	}
}

const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff;
