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

/** Where `--out` leads: `-` is stdout, `x.jsonl` a file of lines, anything that is or ends like a folder a folder. */
export function sinkFor(out: string, terminal: Terminal, lines: LineOptions): Sink {
	if (out === '-') return streamSink(writableOf(terminal), lines);
	const path = resolve(terminal.cwd, out);
	if (isForFolder(out, path)) return markdownSink(path);
	if (/\.(jsonl|ndjson)$/i.test(out)) return jsonlSink(path, lines);
	if (/\.parquet$/i.test(out)) return parquetSink(path, lines);
	if (isArchive(out)) return warcSink(path);
	throw new UsageError(
		`--out ${out}: write FILE.jsonl, FILE.parquet, FILE.warc.gz, a folder with a / at its end, or - for stdout`,
	);
}

/** The same place once, however it was written: two that write to it would each write over the other. */
export function distinctOuts(outs: readonly string[], cwd: string): string[] {
	const places = new Map(outs.map((out) => [out === '-' ? out : resolve(cwd, out), out]));
	return [...places.values()];
}

export const isArchive = (out: string): boolean => /\.warc(\.gz)?$/i.test(out);

function isForFolder(out: string, path: string): boolean {
	if (out === '' || /[/\\]$/.test(out)) return out !== '';
	return isFolder(path);
}

function writableOf(terminal: Terminal): Writable {
	return new Writable({
		decodeStrings: false,
		write(chunk, _encoding, done) {
			terminal.out(String(chunk));
			done();
		},
	});
}
