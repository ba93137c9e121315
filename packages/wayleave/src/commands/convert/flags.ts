import type { ChunkFlags } from '../../shared/options/chunks.ts';
import type { FavorFlags } from '../../shared/options/favor.ts';
import type { DocumentFormat } from '../../shared/output/formats.ts';

export interface ConvertFlags extends FavorFlags, ChunkFlags {
	url?: string;
	manifest?: string;
	format?: DocumentFormat;
	out?: string[];
	economics?: boolean;
	stdinName?: string;
	json?: boolean;
}
