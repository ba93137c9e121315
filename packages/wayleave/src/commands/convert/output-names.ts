import { basename, resolve } from 'node:path';
import type { Input } from '../../shared/page-files.ts';
import { UsageError } from '../../terminal/command.ts';
import { type Shard, type ShardBy, shardName } from './shard.ts';

/** The places of `{name}` and `{shard}` in a file name. */
const namePlace = '{name}';
const shardPlace = '{shard}';

/** Endings of inputs that are left out of `{name}`. */
const endings = /(?:\.(?:x?html?|w?arc))?(?:\.w[ea]t)?(?:\.gz)?$/i;

export const isPerInput = (out: string): boolean => out.includes(namePlace);

/** The name with its places filled. */
export function fillName(out: string, input: Pick<Input, 'file'> | undefined, shard: Shard | undefined): string {
	const named = input === undefined ? out : out.replaceAll(namePlace, nameOf(input));
	return shard === undefined ? named : named.replaceAll(shardPlace, shardName(shard));
}

/** `CC-MAIN-20260101-00000` of `warc/CC-MAIN-20260101-00000.warc.gz`. */
export function nameOf({ file }: Pick<Input, 'file'>): string {
	const name = basename(file);
	return name.replace(endings, '') || name;
}

/**
 * Refuses names that would have two writers, and places that nothing fills.
 *
 * @param inputs those of all shards, so that every shard refuses the same
 * @throws UsageError
 */
export function checkNames(
	outs: readonly string[],
	inputs: readonly Input[],
	{ shard, by, cwd }: { readonly shard: Shard | undefined; readonly by: ShardBy; readonly cwd: string },
): void {
	const perInput = outs.filter(isPerInput);
	if (perInput.length > 0 && perInput.length < outs.length)
		throw new UsageError(`--out ${outs.find((out) => !isPerInput(out))}: write {name} in every --out, or in none`);
	for (const out of outs) {
		if (shard === undefined && out.includes(shardPlace))
			throw new UsageError(`--out ${out}: {shard} needs --shard INDEX/COUNT`);
		if (isPerInput(out) && /[/\\]$/.test(out))
			throw new UsageError(`--out ${out}: {name} is for files: write a name such as FOLDER/{name}.parquet`);
		const isShared = !out.includes(shardPlace) && !(isPerInput(out) && by === 'archive');
		if (shard !== undefined && shard.count > 1 && out !== '-' && isShared)
			throw new UsageError(
				`--out ${out}: all ${shard.count} shards would write it: write {shard} in its name${by === 'archive' ? ', or {name} for one file per archive' : ''}`,
			);
	}
	refuseSameNames(perInput, inputs, cwd);
}

function refuseSameNames(outs: readonly string[], inputs: readonly Input[], cwd: string): void {
	for (const out of outs) {
		const byPath = new Map<string, Input>();
		for (const input of inputs) {
			const path = resolve(cwd, fillName(out, input, undefined));
			const other = byPath.get(path);
			if (other !== undefined)
				throw new UsageError(
					`${other.file} and ${input.file} would both be written to ${fillName(out, input, undefined)}: convert them apart, each into a folder of its own`,
				);
			byPath.set(path, input);
		}
	}
}
