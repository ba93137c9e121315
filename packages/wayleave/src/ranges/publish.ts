import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { aggregateRanges, buildRanges, formatRanges, type RangePrefix } from '@wayleave/protocols/jafar';
import { buildTime } from '../build-time.ts';
import type { Terminal } from '../command.ts';
import { quantity } from '../output/quantities.ts';

export interface PublishFlags {
	notes?: string;
	aggregate?: boolean;
	out?: string;
}

/** Writes ranges as a list to a file or stdout, and says on stderr what was written. */
export function publishRanges(prefixes: readonly RangePrefix[], flags: PublishFlags, terminal: Terminal): void {
	const fewer = flags.aggregate ? aggregateRanges(prefixes) : prefixes;
	const list = buildRanges(fewer, {
		time: buildTime(terminal),
		...(flags.notes !== undefined && { notes: flags.notes }),
	});
	const text = formatRanges(list);
	if (flags.out === undefined || flags.out === '-') terminal.out(text);
	else writeFileSync(resolve(terminal.cwd, flags.out), text);
	terminal.err(`${quantity(list.prefixes.length, 'range')}, synctoken ${list.synctoken}\n`);
}
