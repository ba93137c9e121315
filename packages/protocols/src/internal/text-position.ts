/** A place in a text: both count from 1. */
export interface Position {
	readonly line: number;
	readonly column: number;
}

/** Makes a function from offsets to places. Lines end at LF, CR or CRLF; columns count UTF-16 units. */
export function createPositions(text: string): (offset: number) => Position {
	const starts = [0];
	for (const end of text.matchAll(/\r\n?|\n/g)) starts.push(end.index + end[0].length);
	return (offset) => {
		const line = countUpTo(starts, offset);
		return { line, column: offset - starts[line - 1]! + 1 };
	};
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(ascending: readonly number[], limit: number): number {
	let low = 0;
	let high = ascending.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (ascending[middle]! <= limit) low = middle + 1;
		else high = middle;
	}
	return low;
}
