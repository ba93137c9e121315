/** Around lines that are ours in a file that is not. The text between them is rewritten each time. */
const begin = '# >>> wayleave: from the policy file, written anew each time';
const end = '# <<< wayleave';
const beginLine = /^# >>> wayleave\b/;
const endLine = /^# <<< wayleave\b/;
/** Before a line of the site that does not count at the moment: taken away, it is back. */
const offMark = '# wayleave: off: ';

/** Lines as a block of ours. */
export function markBlock(lines: readonly string[]): string[] {
	return lines.length === 0 ? [] : [begin, ...lines, end];
}

/** A line of the site that is not to count. */
export function markOff(line: string): string {
	return offMark + line;
}

/**
 * The lines of a file as they were before we wrote in it. A block without its end mark keeps its lines: nothing that
 * could be the site's own is thrown away.
 */
export function stripMarks(lines: readonly string[]): string[] {
	const own: string[] = [];
	for (let at = 0; at < lines.length; at++) {
		const line = lines[at] ?? '';
		if (beginLine.test(line)) {
			const close = lines.findIndex((each, index) => index > at && (beginLine.test(each) || endLine.test(each)));
			if (close > 0 && endLine.test(lines[close] ?? '')) at = close;
		} else if (!endLine.test(line)) own.push(line.startsWith(offMark) ? line.slice(offMark.length) : line);
	}
	return own;
}
