import { excerpt, TextProblems } from '../internal/text-problems.ts';
import type { Parsed } from '../problem.ts';
import { type Cidr, type CidrFault, hostCidr, parseCidr, withoutHostBits } from './cidr.ts';
import type { RangesProblemCode } from './problems.ts';
import { rangesProblem } from './report.ts';
import type { RangePrefix } from './types.ts';

/**
 * Reads hand-written lists of ranges: one `CIDR [SERVICE]` or bare address a line, `#` for comments; of a geofeed (RFC
 * 8805) the first column.
 * `service` is the name for lines that give none.
 */
export function parseRangeLines(text: string, service?: string): Parsed<readonly RangePrefix[], RangesProblemCode> {
	const problems = new TextProblems<RangesProblemCode>(text, rangesProblem);
	const prefixes: RangePrefix[] = [];
	for (const { at, line } of linesOf(text)) {
		const [, written = '', name = service] = /^([^\s,]+)(?:\s+(\S.*)|,.*)?$/.exec(line) ?? [];
		if (written === '') continue;
		const range = readRange(written);
		if (typeof range === 'string') addProblem(problems, range, at, written);
		else prefixes.push({ range, services: name === undefined ? [] : [name] });
	}
	return { value: prefixes, problems: problems.close('ranges-omitted') };
}

/** The lines without comments and surrounding white space, with the offset of what is left. */
function* linesOf(text: string): Iterable<{ at: number; line: string }> {
	let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
	while (start <= text.length) {
		const found = text.indexOf('\n', start);
		const end = found < 0 ? text.length : found;
		const line = text.slice(start, end).replace(/#.*/s, '');
		const indent = line.length - line.trimStart().length;
		yield { at: start + indent, line: line.trim() };
		start = end + 1;
	}
}

function readRange(written: string): Cidr | CidrFault {
	return written.includes('/') ? parseCidr(written) : (hostCidr(written) ?? 'malformed');
}

function addProblem(problems: TextProblems<RangesProblemCode>, fault: CidrFault, at: number, written: string): void {
	const args = { prefix: excerpt(written), family: written.includes(':') ? 'IPv6' : 'IPv4' };
	if (fault === 'host-bits') problems.add('ranges-host-bits', at, { ...args, meant: withoutHostBits(written) });
	else problems.add(fault === 'mapped' ? 'ranges-wrong-family' : 'ranges-malformed-prefix', at, args);
}
