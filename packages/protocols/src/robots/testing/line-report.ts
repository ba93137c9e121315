import { findSpelling } from '../keys.ts';
import { LineReader } from '../lines.ts';
import { googleLineLimit, readings } from '../modes.ts';
import { readContent } from '../octets.ts';

/** Keys that Google knows and does not use. */
const unused =
	/^(?:clean-param|content-signal|content-usage|crawl-delay|domain|host|noarchive|nofollow|noindex|request-rate|revisit-after|visit-time)$/i;

/** What Google's reporter says about each line of a file, told from our line reader. */
export function lineReport(input: string | Uint8Array) {
	const { text } = readContent(input, 2 ** 29, readings.google);
	const start = /^(?:\ufeff|\xef(?:\xbb\xbf?)?)/.exec(text)?.[0].length ?? 0;
	const line = new LineReader(text, start, googleLineLimit);
	const lines = [];
	while (line.read()) {
		line.split();
		const hasDirective = line.keyEnd > line.keyStart;
		const key = text.slice(line.keyStart, line.keyEnd);
		const spelling = hasDirective ? findSpelling(text, line.keyStart, line.keyEnd) : undefined;
		const known = spelling?.key === 'crawl-delay' ? undefined : spelling;
		const read = text.slice(line.start, Math.min(line.end, line.start + googleLineLimit + 1));
		const hasComment = line.nul < 0 && read.includes('#');
		const blank = line.keyStart === line.valueEnd;
		lines.push({
			line: lines.length + 1,
			tag: known?.key ?? (unused.test(key) ? 'unused' : 'unknown'),
			typo: known?.typo ?? false,
			empty: blank && !hasComment,
			hasComment,
			isComment: blank && hasComment,
			hasDirective,
			tooLong: line.end - line.start > googleLineLimit,
			missingColon: hasDirective && line.missingColon,
		});
	}
	const directives = lines.filter(({ hasDirective }) => hasDirective);
	return {
		lastLine: lines.length,
		validDirectives: directives.filter(({ tag }) => tag !== 'unknown' && tag !== 'unused').length,
		unusedDirectives: directives.filter(({ tag }) => tag === 'unused' || tag === 'unknown').length,
		lines,
	};
}
