import { InvalidArgumentError } from 'commander';

/** One of `count` parts of the work, each of which a process of its own does. */
export interface Shard {
	/** From 0, as Kubernetes, AWS Batch and Spark number them. */
	readonly index: number;
	readonly count: number;
}

/** What is dealt out to shards: whole inputs, or the pages of each input. */
export type ShardBy = 'archive' | 'page';

/** Reads `3/16`. */
export function shard(text: string): Shard {
	const [, index, count] = /^(\d{1,9})\/(\d{1,9})$/.exec(text.trim()) ?? [];
	if (index === undefined || count === undefined || Number(count) === 0)
		throw new InvalidArgumentError('expected the number of this shard and of all, such as 0/16.');
	if (Number(index) >= Number(count))
		throw new InvalidArgumentError(`shards are numbered from 0: the last one is ${Number(count) - 1}/${count}.`);
	return { index: Number(index), count: Number(count) };
}

/** Whether the element at a place of a sequence belongs to the shard; each belongs to exactly one. */
export const isIn = ({ index, count }: Shard, place: number): boolean => place % count === index;

/** `00003-of-00016`: shards sort by name in the order of their numbers. */
export function shardName({ index, count }: Shard): string {
	const digits = Math.max(5, String(count).length);
	return `${String(index).padStart(digits, '0')}-of-${String(count).padStart(digits, '0')}`;
}
