import { present } from '@wayleave/protocols';
import { aggregateRanges, buildRanges, formatRanges, type RangePrefix } from '@wayleave/protocols/jafar';
import { quantity } from '@wayleave/protocols/text';
import { buildTime } from '../../terminal/build-time.ts';
import type { Terminal } from '../../terminal/command.ts';

export interface PublishFlags {
	json?: boolean;
	notes?: string;
	aggregate?: boolean;
	allowEmpty?: boolean;
}

/** Writes ranges as a list to stdout or where `--out` leads, and says on stderr what was written. */
export function publishRanges(prefixes: readonly RangePrefix[], flags: PublishFlags, terminal: Terminal): void {
	const fewer = flags.aggregate ? aggregateRanges(prefixes) : prefixes;
	const list = buildRanges(fewer, present({ time: buildTime(terminal), notes: flags.notes }));
	const text = formatRanges(list);
	terminal.out(text);
	terminal.note(`${quantity(list.prefixes.length, 'range')}, synctoken ${list.synctoken}\n`);
}
