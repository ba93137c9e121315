import type { ChunkFlags } from '../../shared/options/chunks.ts';
import type { FavorFlags } from '../../shared/options/favor.ts';
import type { FieldFlags } from '../../shared/options/fields.ts';
import type { DocumentFormat } from '../../shared/output/formats.ts';
import type { Shard, ShardBy } from './shard.ts';
import type { Tolerance } from './tolerance.ts';

export interface ConvertFlags extends FavorFlags, ChunkFlags, FieldFlags {
	url?: string;
	manifest?: string;
	filesFrom?: string;
	format?: DocumentFormat;
	out?: string[];
	shard?: Shard;
	shardBy: ShardBy;
	tolerate?: Tolerance;
	summary?: string[];
	economics?: boolean;
	stdinName?: string;
	json?: boolean;
}
