import { resolve } from 'node:path';
import { type LineOptions, outputFormats, type Sink } from '@wayleave/crawler/formats';
import { type Terminal, UsageError } from '../../terminal/command.ts';
import { isObjectPlace } from '../objects.ts';
import { isFolder } from '../options/is-folder.ts';
import { outFormatNameOf, outFormatOf, outFormatsText } from './formats.ts';
import { writableTo } from './writable-to.ts';

/** The sink for `--out`: `-` is stdout, `x.jsonl` a file of lines, a folder or a name that ends like one a folder. */
export async function sinkFor(
	out: string,
	terminal: Terminal,
	lines: LineOptions,
	rolling: { readonly roll?: number | undefined; readonly crawl?: boolean } = {},
): Promise<Sink> {
	const path = resolve(terminal.cwd, out);
	// A folder that exists is one, whatever its name ends with.
	const format = out !== '-' && out !== '' && isFolder(path) ? outputFormats.folder : outFormatOf(out);
	if (format === undefined) throw new UsageError(`--out ${out}: write ${outFormatsText()}`);
	if (isObjectPlace(out) && format === outputFormats.folder)
		throw new UsageError(
			`--out ${out}: Markdown is written to a folder on this machine; in a bucket, write 's3://BUCKET/FOLDER/*.jsonl.gz'`,
		);
	try {
		const { cwd } = terminal;
		return await format.open({
			path,
			name: out,
			cwd,
			lines,
			stdout: writableTo((text) => terminal.out(text)),
			...rolling,
		});
	} catch (error) {
		const { code, message } = error as Error & { code?: string };
		throw code === 'bad-option' || code === 'bad-place' ? new UsageError(`--out ${message}`) : error;
	}
}

/** The same place once, however it was written: two that write to it would each write over the other. */
export function distinctOuts(outs: readonly string[], cwd: string): string[] {
	const places = new Map(outs.map((out) => [out === '-' ? out : resolve(cwd, out), out]));
	return [...places.values()];
}

/** Whether it is several files, or an object: then workers of a shared store write it together. */
export const isRollingOut = (out: string): boolean => /^rolling/.test(outFormatNameOf(out) ?? '');

export const isArchive = (out: string): boolean => outFormatOf(out)?.archive === true;
