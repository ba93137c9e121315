/** Collapses white space and trims. */
export function normalise(text: string): string {
	return text.replace(/[\s\u00a0]+/g, ' ').trim();
}

/**
 * At most `max` characters: cut behind a sentence when that keeps at least 40 % of them, else behind a word and
 * marked with `...` (SOM-SPEC §4.6). Never longer than `max`, never half a surrogate pair.
 */
export function truncate(text: string, max: number): string {
	if (text.length <= max) return text;
	const sentence = lastSentenceEnd(text, max);
	if (sentence >= max * 0.4) return text.slice(0, sentence);
	const room = Math.max(0, max - 3);
	const space = text.lastIndexOf(' ', room);
	let end = space > 0 ? space : room;
	const code = text.charCodeAt(end - 1);
	if (code >= 0xd800 && code <= 0xdbff) end--;
	return `${text.slice(0, end)}...`.slice(0, max);
}

/** The offset behind the last `.`, `!` or `?` that ends a sentence within the first `max` characters; 0 = none. */
function lastSentenceEnd(text: string, max: number): number {
	for (let end = max; end > 0; end--) {
		const mark = text.charCodeAt(end - 1);
		const ends = mark === 0x2e || mark === 0x21 || mark === 0x3f;
		if (ends && (end === text.length || text.charCodeAt(end) === 0x20)) return end;
		if (mark === 0x3002 || mark === 0xff01 || mark === 0xff1f) return end;
	}
	return 0;
}
