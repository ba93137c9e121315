import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import {
	jsonlSink,
	type LineOptions,
	markdownSink,
	parquetSink,
	type Sink,
	streamSink,
	warcSink,
} from '@wayleave/crawler';
import { type Terminal, UsageError } from '../command.ts';
import { isFolder } from '../options/is-folder.ts';
import { type OutFormat, outFormatOf, outFormatsText } from './formats.ts';

/** Where `--out` leads: `-` is stdout, `x.jsonl` a file of lines, anything that is or ends like a folder a folder. */
export function sinkFor(out: string, terminal: Terminal, lines: LineOptions): Sink {
	const path = resolve(terminal.cwd, out);
	// A folder that exists is one, whatever its name ends with.
	const format = out !== '-' && out !== '' && isFolder(path) ? 'folder' : outFormatOf(out);
	if (format === undefined) throw new UsageError(`--out ${out}: write ${outFormatsText()}`);
	return sinks[format](path, lines, terminal);
}

const sinks: Readonly<Record<OutFormat, (path: string, lines: LineOptions, terminal: Terminal) => Sink>> = {
	jsonl: jsonlSink,
	parquet: parquetSink,
	warc: (path) => warcSink(path),
	folder: (path) => markdownSink(path),
	stdout: (_, lines, terminal) => streamSink(writableOf(terminal), lines),
};

/** The same place once, however it was written: two that write to it would each write over the other. */
export function distinctOuts(outs: readonly string[], cwd: string): string[] {
	const places = new Map(outs.map((out) => [out === '-' ? out : resolve(cwd, out), out]));
	return [...places.values()];
}

export const isArchive = (out: string): boolean => outFormatOf(out) === 'warc';

function writableOf(terminal: Terminal): Writable {
	return new Writable({
		decodeStrings: false,
		write(chunk, _encoding, done) {
			terminal.out(String(chunk));
			done();
		},
	});
}
