/**
 * The known word that was most likely meant: few letters differ, or it contains what was written as a whole word
 * (`depth`: `max-depth`). Capitals, hyphens and underscores do not count. Undefined where no word is near.
 *
 * @example nearestWord('tarin', ['train', 'store']) // 'train'
 */
export function nearestWord(written: string, known: Iterable<string>): string | undefined {
	const wanted = folded(written);
	if (wanted === '') return undefined;
	let best: { word: string; distance: number } | undefined;
	for (const word of known) {
		const candidate = folded(word);
		const distance = candidate.includes(wanted) && isWhole(written, word) ? 0.5 : distanceOf(wanted, candidate);
		if (distance <= allowed(wanted, candidate) && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
			best = { word, distance };
	}
	return best?.word;
}

/** One letter of each three may be wrong, and three at most; in a word of two letters one too many. */
function allowed(a: string, b: string): number {
	const [shorter, longer] = [Math.min(a.length, b.length), Math.max(a.length, b.length)];
	if (shorter < 3) return shorter === 2 && longer === 3 ? 1 : 0;
	return Math.min(3, Math.ceil(longer / 3));
}

const folded = (word: string): string => word.toLowerCase().replace(/[-_. ]/g, '');

/** Whether a word, written `max-depth` or `maxDepth`, has another among its parts. */
function isWhole(written: string, word: string): boolean {
	const parts = word
		.replace(/([a-z])([A-Z])/g, '$1-$2')
		.toLowerCase()
		.split(/[-_. ]/);
	return written.length >= 3 && parts.includes(folded(written));
}

/** Letters to add, take away, change, or swap with their neighbour (optimal string alignment). */
function distanceOf(a: string, b: string): number {
	let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)];
	for (let i = 1; i <= a.length; i++) {
		const row = [i];
		for (let j = 1; j <= b.length; j++) {
			const changed = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
			let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, changed);
			if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
				least = Math.min(least, (before[j - 2] ?? 0) + 1);
			row.push(least);
		}
		[before, last] = [last, row];
	}
	return last[b.length] ?? 0;
}
