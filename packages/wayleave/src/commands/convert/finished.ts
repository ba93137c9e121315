import { hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileError } from '@wayleave/io/messages';
import { replaceFile } from '../../shared/output/write-file.ts';
import { version } from '../../terminal/version.ts';
import type { InputCounts } from './counts.ts';

/** Bytes of the beginning and of the end that identify an input, with its size. */
const sampled = 65_536;

/**
 * What an output was made of, kept beside it in a hidden file. A run that would make the same again skips the input; a
 * changed input, other options or another version are work to do.
 */
interface Recorded {
	readonly made: string;
	/** Size of each output, in the order of `--out`; bytes. */
	readonly sizes: readonly number[];
	readonly counts: InputCounts;
}

const recordOf = (out: string): string => join(dirname(out), `.${basename(out)}.done`);

/**
 * Identifies what an output is made of: the input, the options that shape it, the version; undefined if the input cannot
 * be read.
 */
export function fingerprint(path: string, options: unknown): string | undefined {
	let file: number;
	try {
		file = openSync(path, 'r');
	} catch {
		return undefined;
	}
	try {
		const { size } = fstatSync(file);
		const read = (from: number) => {
			const bytes = Buffer.alloc(Math.min(sampled, size));
			return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
		};
		const ends = Buffer.concat([read(0), read(Math.max(0, size - sampled))]);
		return hash('sha256', `${version} ${size} ${hash('sha256', ends, 'hex')} ${JSON.stringify(options)}`, 'hex');
	} catch {
		return undefined;
	} finally {
		closeSync(file);
	}
}

/** The counts of an input whose outputs exist as they were written; undefined if there is work to do. */
export function finishedCounts(outs: readonly string[], made: string): InputCounts | undefined {
	const [first] = outs;
	if (first === undefined) return undefined;
	try {
		const recorded = JSON.parse(readFileSync(recordOf(first), 'utf8')) as Recorded;
		const isWhole =
			recorded.sizes.length === outs.length && outs.every((out, at) => recorded.sizes[at] === sizeOf(out));
		return recorded.made === made && isWhole ? recorded.counts : undefined;
	} catch {
		return undefined;
	}
}

/** Before the outputs are written again: from here on their record says nothing. @throws FileError */
export function forgetFinished(outs: readonly string[]): void {
	for (const out of outs) {
		try {
			rmSync(recordOf(out), { force: true });
		} catch (error) {
			throw fileError(error, out, 'write');
		}
	}
}

/** After the outputs have their names. @throws FileError */
export function recordFinished(outs: readonly string[], made: string, counts: InputCounts): void {
	const [first] = outs;
	if (first === undefined) return;
	const recorded: Recorded = { made, sizes: outs.map(sizeOf), counts };
	replaceFile(recordOf(first), `${JSON.stringify(recorded)}\n`);
}

const sizeOf = (path: string): number => statSync(path).size;
